import { Alert } from '@mantine/core';
import type { Schemas } from '../api/client';
import { Icon } from './Icon';

/** SilentManagers warns that a part of the answer is missing, because managers did not give theirs. */
export function SilentManagers({ silent = [], missing }: { silent?: Schemas['SilentManager'][]; missing: string }) {
  if (silent.length === 0) return null;
  return (
    <Alert color="yellow" variant="outline" icon={<Icon name="warning" />} title={`The ${missing} of some managers are missing`}>
      {silent.map(({ replica, problem }) => `Manager ${replica}: ${problem}.`).join(' ')}
    </Alert>
  );
}
