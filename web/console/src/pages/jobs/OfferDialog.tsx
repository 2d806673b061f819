import { Button, Group, Modal, Stack, Table, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { idempotencyKey } from '../../api/client';
import { acceptOffer, declineOffer, type Held } from '../../api/offers';
import { Moment } from '../../ui/Moment';
import { ProblemAlert, sentence } from '../../ui/ProblemAlert';
import { price } from '../../wording/amounts';

interface Props {
  held: Held[];
  /** Why the job was refused. */
  why: string;
  accepted: (job: string) => void;
  close: () => void;
}

/** OfferDialog shows what is held instead of a refused promise. Closing it leaves it until it expires: it is among the
 *  reservations. */
export function OfferDialog({ held, why, accepted, close }: Props) {
  const client = useQueryClient();
  const news = () => void client.invalidateQueries({ queryKey: ['offers'] });
  const accept = useMutation({
    mutationFn: (offer: string) => acceptOffer(offer, idempotencyKey()),
    onSuccess: ({ job }) => accepted(job!),
    onSettled: news,
  });
  const decline = () => {
    void Promise.allSettled(held.map((it) => declineOffer(it.offer, idempotencyKey()))).then(news); // else they expire
    close();
  };
  const due = held.some((it) => it.deadline);
  return (
    <Modal opened onClose={close} title="Another promise instead?" size="xl">
      <Stack gap="sm">
        <Text size="sm">{sentence(why)}</Text>
        <Table aria-label="Offers" verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              {['Tasks', 'From', 'For', ...(due ? ['Deadline'] : []), 'Core-hours', 'Held until', ''].map((it) => (
                <Table.Th key={it}>{it}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {held.map((it) => (
              <Table.Tr key={it.offer}>
                <Table.Td>{it.tasks}</Table.Td>
                <Table.Td><Moment at={it.start} /></Table.Td>
                <Table.Td>{it.duration}{it.parts && ` in ${it.parts.length} parts, if it may be paused`}</Table.Td>
                {due && <Table.Td><Moment at={it.deadline} /></Table.Td>}
                <Table.Td>{price(it.priceCoreHours)}</Table.Td>
                <Table.Td><Moment at={it.expires} /></Table.Td>
                <Table.Td>
                  <Button size="xs" aria-label={`Accept ${it.offer}`} loading={accept.isPending} onClick={() => accept.mutate(it.offer)}>
                    Accept
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {accept.error && <ProblemAlert error={accept.error} title="The offer was not accepted" />}
        <Group justify="end">
          <Button variant="default" onClick={decline} disabled={accept.isPending} data-autofocus>
            Decline all
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
