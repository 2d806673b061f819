import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { idempotencyKey } from '../../api/client';
import { acceptOffer, declineOffer, type Offer } from '../../api/offers';
import { useMay } from '../../api/session';
import { Moment } from '../../ui/Moment';
import { useNotify } from '../../ui/Notifications';
import { cpu, plural, price } from '../../wording/amounts';

/** Offers lists what is held instead of refused promises, until it expires. */
export function Offers({ list }: { list: Offer[] }) {
  const may = useMay('user');
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        Offers
      </Title>
      {list.map((it) => (
        <Group key={it.offer} gap="sm">
          <Text size="sm">
            {it.offer} {it.name} of {it.owner}: {plural(it.tasks, 'task')} of {cpu(it.cpuMillicores)} from <Moment at={it.from} /> to <Moment at={it.parts?.at(-1)?.until ?? it.until} />{it.parts && ` in ${it.parts.length} parts, if it may be paused,`} for {price(it.priceCoreHours)} core-hours, held until <Moment at={it.expires} full />
          </Text>
          {may && <Answers offer={it.offer} />}
        </Group>
      ))}
    </Stack>
  );
}

/** Answers are the buttons that answer an offer. The API refuses those of others. */
function Answers({ offer }: { offer: string }) {
  const client = useQueryClient();
  const notify = useNotify();
  const send = (what: Promise<unknown>, done: string, failed: string) =>
    void what.then(
      () => {
        notify.done(done);
        void client.invalidateQueries({ queryKey: ['offers'] });
        void client.invalidateQueries({ queryKey: ['reservations'] });
      },
      (error: unknown) => notify.problem(error, failed),
    );
  return (
    <>
      <Button size="xs" aria-label={`Accept ${offer}`} onClick={() => send(acceptOffer(offer, idempotencyKey()), `${offer} is accepted`, `${offer} was not accepted`)}>
        Accept
      </Button>
      <Button size="xs" variant="default" aria-label={`Decline ${offer}`} onClick={() => send(declineOffer(offer, idempotencyKey()), `${offer} is given back`, `${offer} was not given back`)}>
        Decline
      </Button>
    </>
  );
}
