import { Button, Group } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ProblemError } from '../api/problem';
import { useConnection, useReconnect } from '../live/LiveProvider';
import { ProblemAlert } from '../ui/ProblemAlert';

const patience = 2000; // a change of leader often ends before anybody could read this

/** ConnectionBanner reports that the page has not been live for a while. */
export function ConnectionBanner() {
  const connection = useConnection();
  const reconnect = useReconnect();
  const away = connection.state === 'lost' || connection.state === 'connecting';
  const [lasting, setLasting] = useState(false);
  useEffect(() => {
    if (!away) {
      setLasting(false);
      return undefined;
    }
    const timer = setTimeout(() => setLasting(true), patience);
    return () => clearTimeout(timer);
  }, [away]);
  if (!lasting || connection.state !== 'lost') return null;
  return (
    <Group mb="md" align="start" aria-live="polite">
      <div style={{ flexGrow: 1 }}>
        <ProblemAlert error={new ProblemError(connection.problem)} title="The connection to the manager is lost; the page may be out of date" />
      </div>
      <Button variant="default" onClick={reconnect}>
        Connect now
      </Button>
    </Group>
  );
}
