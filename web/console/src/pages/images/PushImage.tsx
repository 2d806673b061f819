import { Alert, Button, Code, FileInput, Group, Modal, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { archiveOf, imagesQuery, pushImage, type Image } from '../../api/images';
import { faultsByField, problemOf } from '../../api/problem';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { bytes } from '../../wording/amounts';

const names = /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/;

/** PushImage is a button that opens the form of a new image. */
export function PushImage({ maxBytes }: { maxBytes: number }) {
  const [opened, setOpened] = useState(false);
  const [busy, setBusy] = useState(false);
  return (
    <>
      <Button onClick={() => setOpened(true)}>Push an image</Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title="Push an image" size="lg" withCloseButton={!busy} closeOnEscape={!busy} closeOnClickOutside={!busy}>
        <PushForm maxBytes={maxBytes} onBusy={setBusy} onClose={() => setOpened(false)} />
      </Modal>
    </>
  );
}

interface FormProps {
  maxBytes: number;
  onBusy: (busy: boolean) => void;
  onClose: () => void;
}

function PushForm({ maxBytes, onBusy, onClose }: FormProps) {
  const [name, setName] = useState('');
  const [kernel, setKernel] = useState<File | null>(null);
  const [initrd, setInitrd] = useState<File | null>(null);
  const [cmdline, setCmdline] = useState('');
  const push = usePush(onBusy);
  if (push.data) return <Pushed image={push.data} onClose={onClose} />;

  const archive = kernel && initrd ? archiveOf({ kernel, initrd, cmdline: cmdline.trim() }) : undefined;
  const tooLarge = archive !== undefined && archive.size > maxBytes;
  const nameless = name !== '' && !names.test(name);
  const faults = push.error ? faultsByField(problemOf(push.error)) : {};
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (archive) push.mutate({ name, archive });
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          description="Name for use in jobs"
          required
          maxLength={128}
          value={name}
          disabled={push.isPending}
          error={nameless ? 'Lower-case letters and digits, with . _ - between them' : faults.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <FileInput label="Kernel" description="Like vmlinuz" placeholder="Choose a file" required value={kernel} disabled={push.isPending} onChange={setKernel} />
        <FileInput label="Initrd" description="The initial file system, a cpio archive" placeholder="Choose a file" required value={initrd} disabled={push.isPending} onChange={setInitrd} />
        <TextInput
          label="Kernel command line"
          description="Additional words; optional"
          maxLength={2048}
          value={cmdline}
          disabled={push.isPending}
          onChange={(event) => setCmdline(event.currentTarget.value)}
        />
        {tooLarge && (
          <Text size="sm" role="alert" c="var(--aliquot-bad)">
            These are {bytes(archive.size)}; an image may have {bytes(maxBytes)}.
          </Text>
        )}
        {push.isPending && archive && <Sent bytesSent={push.sent} whole={archive.size} />}
        {push.error && <PushProblem error={push.error} />}
        <Group justify="end">
          <Button variant="default" onClick={push.isPending ? push.abort : onClose}>
            {push.isPending ? 'Abort' : 'Cancel'}
          </Button>
          <Button type="submit" loading={push.isPending} disabled={!archive || tooLarge || name === '' || nameless}>
            Push{archive && !tooLarge ? ` ${bytes(archive.size)}` : ''}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Pushes an image, shows the progress, and warns before the tab is closed meanwhile. */
function usePush(onBusy: (busy: boolean) => void) {
  const client = useQueryClient();
  const [sent, setSent] = useState(0);
  const abort = useRef<() => void>(() => undefined);
  const push = useMutation({
    mutationFn: ({ name, archive }: { name: string; archive: Blob }) => {
      setSent(0);
      const upload = pushImage(name, archive, setSent);
      abort.current = upload.abort;
      return upload.answer;
    },
    onSuccess: () => client.invalidateQueries({ queryKey: imagesQuery.queryKey }),
  });
  const { isPending } = push;
  useEffect(() => {
    onBusy(isPending);
    if (!isPending) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isPending, onBusy]);
  useEffect(() => () => abort.current(), []);
  return { ...push, sent, abort: () => abort.current() };
}

function Sent({ bytesSent, whole }: { bytesSent: number; whole: number }) {
  const sent = Math.min(bytesSent, whole);
  return (
    <Stack gap={4}>
      <Progress value={(100 * sent) / whole} aria-label="Sent" aria-valuetext={`${bytes(sent)} of ${bytes(whole)}`} />
      <Text size="sm">{sent < whole ? `${bytes(sent)} of ${bytes(whole)} are sent.` : 'Everything is sent; the manager stores and registers it.'}</Text>
    </Stack>
  );
}

function PushProblem({ error }: { error: unknown }) {
  if (error instanceof DOMException) return <Text size="sm">The upload was aborted; nothing was kept.</Text>;
  return <ProblemAlert error={error} title="The image was not pushed" />;
}

function Pushed({ image, onClose }: { image: Image; onClose: () => void }) {
  return (
    <Stack>
      <Alert color="teal" variant="outline" title={`The image ${image.name} is pushed`} role="status">
        <Text size="sm" c="var(--mantine-color-text)">
          Jobs name it <Code className="wrap-anywhere">{image.name}</Code>, or for good
        </Text>
        <Code block className="wrap-anywhere" style={{ whiteSpace: 'pre-wrap' }}>
          {image.reference}
        </Code>
        <Text size="sm" c="var(--mantine-color-text)">
          {bytes(image.sizeBytes)}; the digest is that of its files, SHA-256.
        </Text>
      </Alert>
      <Group justify="end">
        <Button onClick={onClose} data-autofocus>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
