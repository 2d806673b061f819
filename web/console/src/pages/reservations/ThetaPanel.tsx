import { Group, NumberInput, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../api/session';
import { setTheta, thetaQuery, type Theta } from '../../api/theta';
import type { Action } from '../../ui/action';
import { ActionButton } from '../../ui/ActionButton';
import { Panel } from '../../ui/Panel';
import { price } from '../../wording/amounts';

/** ThetaPanel shows the limit of the price of every promise, which operators change. */
export function ThetaPanel() {
  const theta = useQuery(thetaQuery).data;
  const may = useMay('operator');
  if (!theta) return null;
  return (
    <Panel title="Limit of prices (theta)">
      <Text size="sm">{limitOf(theta)} A lower limit keeps more small promises instead of few large ones.</Text>
      {may && <ThetaForm key={theta.theta} now={theta.theta} />}
    </Panel>
  );
}

/** Says what theta allows. */
function limitOf({ theta, limitCoreHours }: Theta): string {
  return limitCoreHours === undefined ? 'Theta is 0: promises may cost anything.' : `Theta is ${theta}: a promise may cost up to ${price(limitCoreHours)} core-hours.`;
}

function ThetaForm({ now }: { now: number }) {
  const [wish, setWish] = useState<number | string>(now);
  const client = useQueryClient();
  const set = (theta: number): Action['run'] => async (key) => {
    await setTheta(theta, key);
    void client.invalidateQueries({ queryKey: ['theta'] });
  };
  const action: Action = {
    label: 'Set theta',
    run: set(Number(wish)),
    done: `Theta is ${wish}`,
    undo: { label: 'Set it back', run: set(now), done: `Theta is ${now} again` },
  };
  const wrong = typeof wish !== 'number' || (wish !== 0 && (wish < 0.001 || wish > 100)); // an empty field is no number
  return (
    <Group mt="xs" align="end">
      <NumberInput label="Theta" description="Hours of all nodes, from 0.001 to 100; 0: no limit" error={wrong && 'must be 0, or from 0.001 to 100'} min={0} max={100} step={0.1} decimalScale={3} value={wish} onChange={setWish} />
      <ActionButton action={action} size="sm" disabled={wrong || wish === now} />
    </Group>
  );
}
