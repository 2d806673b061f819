import { Box } from '@mantine/core';
import { useRouteError } from 'react-router';
import { ProblemAlert } from '../ui/ProblemAlert';

/** RouteError replaces a page that crashed, so that the rest of the console continues. */
export function RouteError() {
  const error = useRouteError();
  return (
    <Box p="md" component="main">
      <ProblemAlert error={error} title="This page failed" retry={() => location.reload()} />
    </Box>
  );
}
