/** A file of an archive. */
export interface Part {
  name: string;
  content: Blob;
}

const block = 512;

/** Returns a tar archive (ustar) of the files. They are read only while it is sent, so it may be larger than memory. */
export function tarOf(parts: Part[]): Blob {
  const pieces = parts.flatMap(({ name, content }) => [header(name, content.size), content, zeros(-content.size & (block - 1))]);
  return new Blob([...pieces, zeros(2 * block)], { type: 'application/x-tar' });
}

const zeros = (length: number) => new Uint8Array(length);

function header(name: string, size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(block);
  const text = new TextEncoder();
  const put = (at: number, value: string) => bytes.set(text.encode(value), at);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  put(0, name);
  put(100, octal(0o644, 7));
  put(108, octal(0, 7));
  put(116, octal(0, 7));
  put(124, octal(size, 11));
  put(136, octal(0, 11));
  put(148, '        '); // the checksum is computed with blanks in its place
  put(156, '0');
  put(257, 'ustar\0' + '00');
  put(148, octal(bytes.reduce((sum, byte) => sum + byte, 0), 6) + '\0 ');
  return bytes;
}
