import { Code } from '@mantine/core';

/** Prose is text of the API, in which commands stand between backticks. */
export function Prose({ text }: { text: string }) {
  return text.split('`').map((part, i) => (i % 2 === 0 ? part : <Code key={i}>{part}</Code>));
}
