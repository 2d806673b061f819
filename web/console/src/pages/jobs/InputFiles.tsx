import { Button, FileButton, Group, Input, Stack, Text } from '@mantine/core';
import { useLayoutEffect, useRef, useState } from 'react';
import { bytes } from '../../wording/amounts';
import { added, sizeOf, textsOf, type Files } from './files';

interface Props {
  files: Files;
  change: (files: Files) => void;
  fault: string | undefined;
}

/** InputFiles are the small text files that a job brings along. Those that are too large are refused before anything is sent. */
export function InputFiles({ files, change, fault }: Props) {
  const [refused, setRefused] = useState<string>();
  const latest = useRef(files);
  useLayoutEffect(() => {
    latest.current = files;
  }, [files]);
  const set = (to: Files, why?: string) => {
    latest.current = to; // the next change may come before the page is drawn
    setRefused(why);
    change(to);
  };
  const add = async (chosen: File[]) => {
    const texts = await textsOf(chosen);
    const { files: more, fault } = texts.fault ? { files: latest.current, fault: texts.fault } : added(latest.current, texts.files);
    set(more, fault);
  };
  const remove = (name: string) => set(Object.fromEntries(Object.entries(latest.current).filter(([other]) => other !== name)));
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
            <Button size="compact-xs" variant="subtle" aria-label={`Remove ${name}`} onClick={() => remove(name)}>
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
