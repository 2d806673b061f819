import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tarOf } from './tar';

test('an archive is one that tar reads', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'aliquot-tar-'));
  try {
    const archive = tarOf([
      { name: 'kernel', content: new Blob(['k'.repeat(512)]) },
      { name: 'initrd', content: new Blob(['i'.repeat(1000)]) },
      { name: 'cmdline', content: new Blob(['quiet']) },
    ]);
    expect(archive.type).toBe('application/x-tar');
    expect(archive.size % 512).toBe(0);
    writeFileSync(path.join(folder, 'it.tar'), await bytesOf(archive));
    const listed = execFileSync('tar', ['-xvf', 'it.tar'], { cwd: folder, encoding: 'utf8' });
    expect(listed.trim().split('\n')).toEqual(['kernel', 'initrd', 'cmdline']);
    expect(['kernel', 'initrd', 'cmdline'].map((name) => readFileSync(path.join(folder, name), 'utf8').length)).toEqual([512, 1000, 5]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

// jsdom's Blob has no arrayBuffer.
function bytesOf(blob: Blob): Promise<Uint8Array> {
  return new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(new Uint8Array(reader.result as ArrayBuffer));
    reader.readAsArrayBuffer(blob);
  });
}
