import { count } from '../../wording/amounts';

/** Files are texts by their path in the folder /work. */
export type Files = Record<string, string>;

/** The most that all files take, in bytes: the limit of all text of a job. */
const mostBytes = 64 * 1024;

const mostFiles = 64;

/** Returns the size of a text, in bytes. */
export const sizeOf = (text: string) => new TextEncoder().encode(text).length;

interface Result {
  files: Files;
  fault?: string;
}

/** Reads the chosen files. If one cannot be brought, it returns none, and says why. */
export async function textsOf(chosen: File[]): Promise<Result> {
  const files: Files = {};
  for (const file of chosen) {
    if (file.size > mostBytes) return { files: {}, fault: `${file.name} is larger than 64 KiB: put it into an image` };
    try {
      files[file.name] = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
    } catch {
      return { files: {}, fault: `${file.name} is not UTF-8 text: put it into an image` };
    }
  }
  return { files };
}

/** Adds texts, those of the same names anew. If they are too many or too large, none is added, and it says why. */
export function added(files: Files, texts: Files): Result {
  const more = { ...files, ...texts };
  if (Object.keys(more).length > mostFiles) return { files, fault: `these would be ${count(Object.keys(more).length)} files: a job brings ${mostFiles} at most` };
  const total = Object.values(more).reduce((sum, text) => sum + sizeOf(text), 0);
  if (total > mostBytes) return { files, fault: 'these would be more than 64 KiB in all: put some into an image' };
  return { files: more };
}
