import { Button, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { inviteNode, type Invitation } from '../../api/nodes';
import { faultsByField, problemOf } from '../../api/problem';
import { Moment } from '../../ui/Moment';
import { failure, useOnce } from '../../ui/once';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { ShownOnce } from '../../ui/ShownOnce';

/** InviteDialog invites a node and shows the command with its join token, which is not shown again. */
export function InviteDialog({ opened, close }: { opened: boolean; close: () => void }) {
  const [node, setNode] = useState('');
  const once = useOnce();
  const invite = useMutation({ mutationFn: () => once(node, (key) => inviteNode(node, key)) });
  const leave = () => {
    close();
    invite.reset();
    setNode('');
  };
  return (
    <Modal opened={opened} onClose={leave} title="Invite a node" size="lg" closeOnClickOutside={!invite.data} closeOnEscape={!invite.data}>
      {invite.data ? <Command invitation={invite.data} leave={leave} /> : <NameForm node={node} setNode={setNode} invite={invite} />}
    </Modal>
  );
}

interface FormProps {
  node: string;
  setNode: (node: string) => void;
  invite: { error: Error | null; isPending: boolean; mutate: () => void };
}

function NameForm({ node, setNode, invite }: FormProps) {
  const fault = invite.error ? faultsByField(problemOf(invite.error)).node : undefined;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        invite.mutate();
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          description="Of the machine; a known name may come back this way, but not while it is connected"
          required
          data-autofocus
          value={node}
          error={fault}
          onChange={(event) => setNode(event.currentTarget.value)}
        />
        {invite.error && !fault && <ProblemAlert error={invite.error} title={failure(invite.error, 'The node was not invited')} />}
        <Group justify="end">
          <Button type="submit" loading={invite.isPending} disabled={node === ''}>
            Invite
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Returns the command that stores the token in a file that only root reads. */
const storing = (token: string) => `(umask 077; echo '${token}' > join.token)`;

function Command({ invitation, leave }: { invitation: Invitation; leave: () => void }) {
  const command = storing(invitation.token);
  return (
    <Stack>
      <Text size="sm" component="div">
        Run this on {invitation.node} as root. The token admits one machine, once, until <Moment at={invitation.expires} />. It is shown only now.
      </Text>
      <ShownOnce text={command} leave={leave}>
        <Text size="sm">
          Then start the monitor with the addresses of the managers: <Code>{`aliquotd monitor --node ${invitation.node} --managers HOST:PORT --join-token join.token`}</Code>
        </Text>
      </ShownOnce>
    </Stack>
  );
}
