import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { invitationsQuery } from '../../api/nodes';
import { useMay } from '../../api/session';
import { Moment } from '../../ui/Moment';

/** Invitations lists the nodes that are invited and have not joined, for operators; nothing if there are none. */
export function Invitations() {
  const operator = useMay('operator');
  const open = useQuery({ ...invitationsQuery, enabled: operator }).data?.invitations ?? [];
  if (open.length === 0) return null;
  return (
    <Text size="sm" c="var(--aliquot-quiet)">
      Invited, not joined yet:{' '}
      {open.map(({ node, expires }, i) => (
        <span key={node}>
          {i > 0 && ', '}
          {node} (until <Moment at={expires} />)
        </span>
      ))}
    </Text>
  );
}
