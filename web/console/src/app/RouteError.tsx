import { Box } from '@mantine/core';
import { useRouteError } from 'react-router';
import { ProblemAlert } from '../ui/ProblemAlert';

/** RouteError stands in for a page that broke, so that the rest goes on. */
export function RouteError() {
  const error = useRouteError();
  return (
    <Box p="md" component="main">
      <ProblemAlert error={error} title="This page failed" retry={() => location.reload()} />
    </Box>
  );
}
