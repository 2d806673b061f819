import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';

interface Props {
  text: string;
  change: (text: string) => void;
  fault: string | null | undefined;
}

/** YamlField is a job as YAML, typed or from a file. */
export function YamlField({ text, change, fault }: Props) {
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm">
          The same as <code>aliquot job submit --file</code> takes, and <code>aliquot job show --spec</code> shows.
        </Text>
        <FileButton accept=".yaml,.yml,.json,text/plain" onChange={(file) => void file?.text().then(change)}>
          {(props) => (
            <Button {...props} variant="default" size="xs">
              Open a file
            </Button>
          )}
        </FileButton>
      </Group>
      <Textarea
        label="Job as YAML"
        autosize
        minRows={14}
        maxRows={32}
        spellCheck={false}
        value={text}
        error={fault && <span style={{ whiteSpace: 'pre-wrap' }}>{fault}</span>}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        onChange={(event) => change(event.currentTarget.value)}
      />
    </Stack>
  );
}
