import { Button, Menu } from '@mantine/core';
import { Icon } from '../../ui/Icon';

interface Props {
  filter: { job?: string; node?: string; kinds: string[] };
}

/** ExportMenu exports the filtered events as a file. */
export function ExportMenu({ filter }: Props) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="download" />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={address(filter, 'csv')} download="events.csv">
          For a spreadsheet (CSV)
        </Menu.Item>
        <Menu.Item component="a" href={address(filter, 'jsonl')} download="events.jsonl">
          For programs (JSON lines)
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function address({ job, node, kinds }: Props['filter'], format: string): string {
  const query = new URLSearchParams({ format });
  if (job) query.set('job', job);
  if (node) query.set('node', node);
  if (kinds.length > 0) query.set('kind', kinds.join(','));
  return `/v1/history/export?${query.toString()}`;
}
