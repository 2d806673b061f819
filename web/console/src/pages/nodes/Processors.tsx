import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { MapNode } from '../../api/map';
import { jobColour } from '../../ui/palette';
import { cpu } from '../../wording/amounts';
import styles from './Processors.module.css';

type VM = MapNode['vms'][number];

/** Processors shows what is bound to each processor of a node: a foreground and a background task. */
export function Processors({ node, slots }: { node: MapNode; slots: number }) {
  if (!node.vms.some((vm) => vm.core)) return null;
  return (
    <Stack gap={4}>
      <Text size="xs" c="var(--aliquot-quiet)">By core: the foreground task above, the background task below</Text>
      <Group gap={6} role="list" aria-label="Processors">
        {Array.from({ length: slots }, (_, i) => i + 1).map((core) => (
          <Processor key={core} core={core} vms={node.vms.filter((vm) => vm.core === core)} />
        ))}
      </Group>
    </Stack>
  );
}

function Processor({ core, vms }: { core: number; vms: VM[] }) {
  return (
    <div className={styles.processor} role="listitem" aria-label={`Core ${core}`}>
      <Text size="xs" ta="center" c="var(--aliquot-quiet)">{core}</Text>
      <Place tier="foreground" vms={vms} />
      <Place tier="background" vms={vms} />
    </div>
  );
}

function Place({ tier, vms }: { tier: VM['tier']; vms: VM[] }) {
  const here = vms.filter((vm) => vm.tier === tier);
  const first = here[0];
  if (!first) return <div className={styles[tier]} title={`Nothing in the ${tier}`} />;
  return (
    <div className={styles[tier]} style={{ borderColor: jobColour(first.job) }} title={here.map((vm) => use(vm)).join('\n')}>
      {here.map((vm) => (
        <Anchor key={`${vm.job}/${vm.task}`} component={Link} to={`/jobs/${vm.job}`} size="xs" className="ellipsis">
          {vm.job}/{vm.task}
        </Anchor>
      ))}
    </div>
  );
}

/** Says what a VM may use, and what it uses. */
const use = (vm: VM) => `${vm.job}/${vm.task} in the ${vm.tier}, up to ${cpu(vm.capAskedMillicores)}` + (vm.usedMillicores === undefined ? '' : `, now ${cpu(vm.usedMillicores)}`);
