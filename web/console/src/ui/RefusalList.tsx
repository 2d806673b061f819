import { Anchor, Stack, Text } from '@mantine/core';
import { Fragment } from 'react';
import { Link } from 'react-router';
import type { Plan } from '../api/client';
import { count } from '../wording/amounts';

/** The most jobs that are listed one by one. */
const few = 20;

/** RefusalList lists the jobs that would fail under a plan, because they could never run, and those that wait for them. */
export function RefusalList({ plan: { refusals, cancelled } }: { plan: Plan }) {
  return (
    <Stack gap={2}>
      {refusals.slice(0, few).map(({ job, why, later }) => (
        <Text key={job} size="sm" className="wrap-anywhere">
          <JobLink job={job} />{later && ', when its turn comes'}: {why.text}
        </Text>
      ))}
      {refusals.length > few && <Text size="sm">…and {count(refusals.length - few)} more.</Text>}
      {cancelled.length > 0 && (
        <Text size="sm" className="wrap-anywhere">
          Cancelled with them, because they wait for them:{' '}
          {cancelled.slice(0, few).map((job, index) => (
            <Fragment key={job}>{index > 0 && ', '}<JobLink job={job} /></Fragment>
          ))}
          {cancelled.length > few && ` …and ${count(cancelled.length - few)} more.`}
        </Text>
      )}
    </Stack>
  );
}

const JobLink = ({ job }: { job: string }) => <Anchor component={Link} to={`/jobs/${job}`} size="sm">{job}</Anchor>;
