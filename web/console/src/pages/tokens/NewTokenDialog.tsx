import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { faultsByField, problemOf } from '../../api/problem';
import { createToken, type NewToken } from '../../api/tokens';
import { failure, useOnce } from '../../ui/once';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { ShownOnce } from '../../ui/ShownOnce';

const empty: NewToken = { name: '', role: 'user' };

const roles: { value: NewToken['role']; label: string }[] = [
  { value: 'viewer', label: 'viewer: looks' },
  { value: 'user', label: 'user: submits and steers jobs of its owner and project' },
  { value: 'operator', label: 'operator: steers all jobs and nodes, pushes images' },
  { value: 'admin', label: 'admin: sets the policy, makes tokens' },
];

/** NewTokenDialog creates a token and shows its secret, which is not shown again. */
export function NewTokenDialog({ opened, close }: { opened: boolean; close: () => void }) {
  const [token, setToken] = useState(empty);
  const client = useQueryClient();
  const once = useOnce();
  const create = useMutation({
    mutationFn: () => once(JSON.stringify(token), (key) => createToken(token, key)),
    onSuccess: () => client.invalidateQueries({ queryKey: ['tokens'] }),
  });
  const leave = () => {
    close();
    create.reset();
    setToken(empty);
  };
  return (
    <Modal opened={opened} onClose={leave} title="Create a token" size="lg" closeOnClickOutside={!create.data} closeOnEscape={!create.data}>
      {create.data ? <Secret secret={create.data.secret} leave={leave} /> : <Fields token={token} change={(part) => setToken({ ...token, ...part })} create={create} />}
    </Modal>
  );
}

interface FieldsProps {
  token: NewToken;
  change: (part: Partial<NewToken>) => void;
  create: { error: Error | null; isPending: boolean; mutate: () => void };
}

function Fields({ token, change, create }: FieldsProps) {
  const faults = create.error ? faultsByField(problemOf(create.error)) : {};
  const text = (field: 'name' | 'owner' | 'project' | 'expires') => ({
    value: token[field] ?? '',
    error: faults[field],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => change({ [field]: event.currentTarget.value || (field === 'name' ? '' : undefined) }),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <Stack>
        <TextInput label="Name" description="For people and for the log of who did what" required data-autofocus {...text('name')} />
        <Select label="Role" data={roles} value={token.role} onChange={(role) => change({ role: role as NewToken['role'] })} allowDeselect={false} />
        <Group grow>
          <TextInput label="Owner" description="Of its jobs; empty: its name" {...text('owner')} />
          <TextInput label="Project" description="Of its jobs; empty: default" {...text('project')} />
        </Group>
        <TextInput label="Time to live" description="720h; empty: it does not expire" {...text('expires')} />
        {create.error && Object.keys(faults).length === 0 && <ProblemAlert error={create.error} title={failure(create.error, 'The token was not created')} />}
        <Group justify="end">
          <Button type="submit" loading={create.isPending} disabled={token.name === ''}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Secret({ secret, leave }: { secret: string; leave: () => void }) {
  return (
    <Stack>
      <Text size="sm">This is its secret. Keep it: it is shown only once.</Text>
      <ShownOnce text={secret} leave={leave} />
    </Stack>
  );
}
