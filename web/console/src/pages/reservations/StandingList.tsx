import { Group, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useMay } from '../../api/session';
import { cancelStanding, type Standing } from '../../api/standing';
import type { Action } from '../../ui/action';
import { ActionButton } from '../../ui/ActionButton';
import { Moment } from '../../ui/Moment';
import { cpu, plural } from '../../wording/amounts';

/** StandingList lists the reservations that are made again every week. */
export function StandingList({ list }: { list: Standing[] }) {
  const may = useMay('user');
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        Every week
      </Title>
      {list.map((it) => (
        <Group key={it.standing} gap="sm">
          <Text size="sm">
            {it.standing} {it.name} of {it.owner}: {plural(it.tasks, 'task')} of {cpu(it.cpuMillicores)} on {it.days.join(', ')} at {it.start} ({it.zone}) for {it.duration}, until <Moment at={it.until} />
            {it.missing.length > 0 && `; ${plural(it.missing.length, 'occurrence')} without room so far`}
          </Text>
          {may && <CancelStanding standing={it.standing} />}
        </Group>
      ))}
    </Stack>
  );
}

/** CancelStanding is the button that ends a standing reservation. The API refuses those of others. */
function CancelStanding({ standing }: { standing: string }) {
  const client = useQueryClient();
  const action: Action = {
    label: 'Cancel',
    run: async (key) => {
      await cancelStanding(standing, key);
      void client.invalidateQueries({ queryKey: ['standing'] });
      void client.invalidateQueries({ queryKey: ['reservations'] });
    },
    done: `${standing} is cancelled`,
    confirm: { title: `Cancel ${standing}?`, verb: `Cancel ${standing}`, body: 'It makes no further reservations, and those of its jobs that have not begun are cancelled; this cannot be undone. What runs goes on.' },
  };
  return <ActionButton action={action} size="xs" aria-label={`Cancel ${standing}`} />;
}
