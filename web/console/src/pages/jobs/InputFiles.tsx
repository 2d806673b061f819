import { Button, FileButton, Group, Input, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { bytes } from '../../wording/amounts';
import { added, sizeOf, type Files } from './files';

interface Props {
  files: Files;
  change: (files: Files) => void;
  fault: string | undefined;
}

/** InputFiles are the small text files that a job brings along. Those that are too large are refused before anything is sent. */
export function InputFiles({ files, change, fault }: Props) {
  const [refused, setRefused] = useState<string>();
  const set = (to: Files, why?: string) => {
    setRefused(why);
    change(to);
  };
  const add = async (chosen: File[]) => {
    const { files: more, fault } = await added(files, chosen);
    set(more, fault);
  };
  const names = Object.keys(files).sort();
  return (
    <Input.Wrapper
      label="Files to bring" labelElement="div"
      description="Small text files, like a script: each task finds them in the folder /work, where its command starts. 64 KiB in all, with the command; larger input belongs into an image"
      error={refused ?? fault}
    >
      <Stack gap={4} mt={4} align="flex-start">
        {names.map((name) => (
          <Group key={name} gap="xs">
            <Text size="sm" className="wrap-anywhere">{name}, {bytes(sizeOf(files[name]!))}</Text>
            <Button size="compact-xs" variant="subtle" aria-label={`Remove ${name}`} onClick={() => set(Object.fromEntries(Object.entries(files).filter(([other]) => other !== name)))}>
              Remove
            </Button>
          </Group>
        ))}
        <FileButton multiple inputProps={{ 'aria-label': 'Files to bring' }} onChange={(chosen) => void add(chosen)}>
          {(props) => <Button {...props} variant="default" size="xs">Add files</Button>}
        </FileButton>
      </Stack>
    </Input.Wrapper>
  );
}
