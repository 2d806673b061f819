import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { invitationsQuery, type OpenInvitation } from '../../api/nodes';
import { useMay } from '../../api/session';
import { Moment } from '../../ui/Moment';

/** Invitations lists the open invitations of nodes, for operators: first of those that have not joined. */
export function Invitations({ joined }: { joined: Set<string> }) {
  const operator = useMay('operator');
  const open = useQuery({ ...invitationsQuery, enabled: operator }).data?.invitations ?? [];
  return (
    <>
      <Named words="Invited, not joined yet" invitations={open.filter(({ node }) => !joined.has(node))} />
      <Named words="Invited to join again" invitations={open.filter(({ node }) => joined.has(node))} />
    </>
  );
}

/** Names the invited nodes; nothing if there are none. */
function Named({ words, invitations }: { words: string; invitations: OpenInvitation[] }) {
  if (invitations.length === 0) return null;
  return (
    <Text size="sm" c="var(--aliquot-quiet)">
      {words}:{' '}
      {invitations.map(({ node, expires }, i) => (
        <span key={node}>
          {i > 0 && ', '}
          {node} (until <Moment at={expires} />)
        </span>
      ))}
    </Text>
  );
}
