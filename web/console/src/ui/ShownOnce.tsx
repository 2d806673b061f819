import { Button, Code, CopyButton, Group } from '@mantine/core';
import type { ReactNode } from 'react';

/** ShownOnce shows a text that will not be shown again, with a button to copy it, and one to leave. */
export function ShownOnce({ text, leave, children }: { text: string; leave: () => void; children?: ReactNode }) {
  return (
    <>
      <Code block>{text}</Code>
      {children}
      <Group justify="end">
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
        <Button onClick={leave}>I have saved it</Button>
      </Group>
    </>
  );
}
