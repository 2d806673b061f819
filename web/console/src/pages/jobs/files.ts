import { count } from '../../wording/amounts';

/** Files are texts by their path in the folder /work. */
export type Files = Record<string, string>;

/** The most that all files take, in bytes: the limit of all text of a job. */
const mostBytes = 64 * 1024;

const mostFiles = 64;

/** Returns the size of a text, in bytes. */
export const sizeOf = (text: string) => new TextEncoder().encode(text).length;

/** Adds the chosen files, those of the same names anew. If one cannot be brought, none is added, and it says why. */
export async function added(files: Files, chosen: File[]): Promise<{ files: Files; fault?: string }> {
  const more = { ...files };
  for (const file of chosen) {
    if (file.size > mostBytes) return { files, fault: `${file.name} is larger than 64 KiB: put it into an image` };
    try {
      more[file.name] = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
    } catch {
      return { files, fault: `${file.name} is not UTF-8 text: put it into an image` };
    }
  }
  if (Object.keys(more).length > mostFiles) return { files, fault: `these would be ${count(Object.keys(more).length)} files: a job brings ${mostFiles} at most` };
  const total = Object.values(more).reduce((sum, text) => sum + sizeOf(text), 0);
  if (total > mostBytes) return { files, fault: 'these would be more than 64 KiB in all: put some into an image' };
  return { files: more };
}
