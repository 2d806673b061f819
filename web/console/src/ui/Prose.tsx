import { Code } from '@mantine/core';

/** Prose is a text of the API with commands between backticks. */
export function Prose({ text }: { text: string }) {
  return text.split('`').map((part, i) => (i % 2 === 0 ? part : <Code key={i}>{part}</Code>));
}
