/**
 * Splits a command line like a shell: at spaces, but not inside quotes or after a backslash. Undefined: a quote is
 * open.
 */
export function words(line: string): string[] | undefined {
  const found: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let i = 0; i < line.length; i++) {
    const c = line[i]!;
    if (quote) {
      if (c === quote) quote = '';
      else if (c === '\\' && quote === '"' && i + 1 < line.length) word += line[++i]!;
      else word += c;
    } else if (c === '"' || c === "'") {
      quote = c;
      word ??= '';
    } else if (c === '\\' && i + 1 < line.length) {
      word = (word ?? '') + line[++i]!;
    } else if (/\s/.test(c)) {
      if (word !== undefined) found.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + c;
    }
  }
  if (word !== undefined) found.push(word);
  return quote ? undefined : found;
}

/** Parses lines of NAME=value. A line without = is an error with the line's number. */
export function pairs(text: string): { map: Record<string, string>; fault?: string } {
  const map: Record<string, string> = {};
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const at = line.indexOf('=');
    if (at < 1) return { map, fault: `line ${i + 1} is not NAME=value` };
    map[line.slice(0, at).trim()] = line.slice(at + 1);
  }
  return { map };
}
