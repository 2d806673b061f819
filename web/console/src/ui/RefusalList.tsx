import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Plan } from '../api/client';
import { count } from '../wording/amounts';

/** The most jobs that are listed one by one. */
const few = 20;

/** RefusalList lists the jobs that would fail under a plan, because they could never run, with the reasons. */
export function RefusalList({ refusals }: { refusals: Plan['refusals'] }) {
  return (
    <Stack gap={2}>
      {refusals.slice(0, few).map(({ job, why }) => (
        <Text key={job} size="sm" className="wrap-anywhere">
          <Anchor component={Link} to={`/jobs/${job}`} size="sm">{job}</Anchor>: {why.text}
        </Text>
      ))}
      {refusals.length > few && <Text size="sm">…and {count(refusals.length - few)} more.</Text>}
    </Stack>
  );
}
