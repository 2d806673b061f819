import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { plural } from '../../wording/amounts';
import { bulks, type Bulk } from './bulk';
import { BulkDialog } from './BulkDialog';
import type { Selection } from './selection';

/** BulkBar offers what can be done with the selected jobs. */
export function BulkBar({ selection }: { selection: Selection }) {
  const [bulk, setBulk] = useState<Bulk>();
  return (
    <Group gap="xs" role="group" aria-label="Selected jobs">
      <Text size="sm" fw={600} role="status">
        {plural(selection.count, 'job')} selected
      </Text>
      {bulks.map((it) => (
        <Button key={it.verb} size="xs" variant="default" className={it.verb === 'Cancel' ? 'danger' : undefined} onClick={() => setBulk(it)}>
          {it.verb}…
        </Button>
      ))}
      <Button size="xs" variant="subtle" onClick={selection.clear}>
        Select none
      </Button>
      {bulk && <BulkDialog bulk={bulk} selection={selection} close={() => setBulk(undefined)} />}
    </Group>
  );
}
