import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

/** Maps each source file to our files that it imports, types and lazy imports included. */
function imports(root: string): Map<string, string[]> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const files = new Set(names.filter((name) => /(?<!\.d)\.tsx?$/.test(name)).map((name) => join(root, name)));
  const found = (from: string, name: string) => ['', '.ts', '.tsx'].map((ending) => join(dirname(from), name) + ending).filter((path) => files.has(path));
  return new Map(
    [...files].map((file) => {
      const named = ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles.map((it) => it.fileName);
      return [file, named.filter((name) => name.startsWith('.')).flatMap((name) => found(file, name))];
    }),
  );
}

/** Lists the circles that a depth-first search finds, each as a path of files. */
function circles(graph: Map<string, string[]>): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, way: string[]) => {
    const at = way.indexOf(file);
    if (at >= 0) found.push([...way.slice(at), file]);
    if (at >= 0 || done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...way, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return found;
}

test('no file imports itself by way of others, not even for a type', () => {
  const graph = imports('src');
  expect(graph.get('src/test/circles.test.ts')).toEqual([]);
  expect(graph.get('src/test/answers.ts')).toEqual(['src/test/contract.ts']);
  expect(circles(graph)).toEqual([]);
});

test('a circle is found wherever the search begins', () => {
  const graph = new Map([['a', ['b']], ['b', ['c', 'd']], ['c', []], ['d', ['b']]]);
  expect(circles(graph)).toEqual([['b', 'd', 'b']]);
});
