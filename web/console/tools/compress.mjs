// Puts a gzip and a Brotli copy beside every file of dist that shrinks. It fails if the files of a first visit exceed
// 400 KB of gzip.
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const limit = 400_000;
const dist = new URL('../dist', import.meta.url).pathname;
const text = /\.(js|css|html|svg|json)$/;

function files(folder) {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? files(path) : [path]))
    .sort();
}

const sizes = new Map();
for (const path of files(dist)) {
  const content = readFileSync(path);
  const gzip = text.test(path) ? gzipSync(content, { level: 9 }) : content;
  sizes.set(path.slice(dist.length), gzip.length);
  // The page gets a nonce with every answer, so it has no compressed copies.
  if (!text.test(path) || path.endsWith('index.html') || gzip.length >= content.length) continue;
  writeFileSync(`${path}.gz`, gzip);
  writeFileSync(`${path}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
}

// index.html names the files that are loaded at once: scripts, preloaded modules, styles.
const html = readFileSync(join(dist, 'index.html'), 'utf8');
const first = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((m) => m[1]).filter((path) => sizes.has(path));
const total = ['/index.html', ...first].reduce((sum, path) => sum + sizes.get(path), 0);
const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
console.log(`first load ${kB(total)} of ${kB(limit)} compressed; everything ${kB(all)}`);
if (total > limit) {
  console.error('console: the first load is too large; load what few pages need lazily');
  process.exit(1);
}

function kB(bytes) {
  return `${(bytes / 1000).toFixed(0)} kB`;
}
