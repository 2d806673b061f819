import { Button, Group, Loader, SegmentedControl, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { mapQuery } from '../../api/map';
import { reservationsQuery } from '../../api/reservations';
import { timelineQuery } from '../../api/timeline';
import { EmptyState } from '../../ui/EmptyState';
import { isJob, JobField } from '../../ui/JobField';
import { NodeField, useIsNode } from '../../ui/NodeField';
import { Page } from '../../ui/Page';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { useUrlState } from '../../ui/url';
import { plural } from '../../wording/amounts';
import { dateTime } from '../../wording/clock';
import { rowsOf, type RowsBy } from '../../ui/gantt/bars';
import { Gantt } from '../../ui/gantt/Gantt';
import { panned, zoomed } from '../../ui/gantt/range';
import { SpanTable } from './SpanTable';
import { Legend } from './Legend';
import { promisedSpans } from './promises';
import { describe, moment } from './words';
import { lengths, useShown, type Shown } from './shown';

/** TimelinePage shows which jobs ran where, when, and with how much CPU. */
export function TimelinePage() {
  const shown = useShown();
  const [by, setBy] = useUrlState('rows', 'nodes');
  const [view, setView] = useUrlState('view', 'chart');
  const [job, setJob] = useUrlState('job');
  const [node, setNode] = useUrlState('node');
  const there = useIsNode(node);
  const filter = useMemo(() => ({ job: isJob(job) ? job : '', node, all: by === 'jobs' }), [job, node, by]);
  const part = useQuery({ ...timelineQuery(shown.part ?? { last: shown.last }, filter), enabled: there });
  const map = useQuery(mapQuery);
  const capacity = useMemo(
    () => new Map((map.data ?? []).filter((it) => !filter.node || it.name === filter.node).map((it) => [it.name, it.cpuMillicores])),
    [map.data, filter.node],
  );
  const navigate = useNavigate();
  const promises = useQuery(reservationsQuery).data;
  const whole = recent(part.data, shown);
  const range = shown.part ?? whole;
  const { from, to } = range;
  const spans = useMemo(
    () => (part.data ? [...part.data.spans, ...promisedSpans(promises?.reservations ?? [], part.data.at, { from, to }, filter)] : []),
    [part.data, promises, from, to, filter],
  );
  const rows = useMemo(() => (part.data ? rowsOf(spans, by as RowsBy, capacity, part.data.at) : []), [part.data, spans, by, capacity]);
  return (
    <Page title="Timeline">
      <Group align="end" gap="sm">
        <SegmentedControl aria-label="Rows" data={[{ value: 'nodes', label: 'By node' }, { value: 'jobs', label: 'By job' }]} value={by} onChange={setBy} />
        <SegmentedControl aria-label="View" data={[{ value: 'chart', label: 'Chart' }, { value: 'table', label: 'Table' }]} value={view} onChange={setView} />
        <JobField value={job} onChange={setJob} />
        <NodeField value={node} onChange={setNode} />
        <SegmentedControl
          aria-label="Length"
          data={lengths.map(([label, ms]) => ({ label, value: String(ms) }))}
          value={!shown.part && shown.last === range.to - range.from ? String(shown.last) : ''}
          onChange={(value) => shown.follow(Number(value))}
        />
        <Group gap="sm" wrap="nowrap">
          <Button.Group aria-label="Move">
            <Step label="Earlier" sign="←" to={() => shown.show(panned(range, -0.5))} />
            <Step label="Later" sign="→" to={() => shown.show(panned(range, 0.5))} />
          </Button.Group>
          <Button.Group aria-label="Zoom">
            <Step label="Zoom out" sign="−" to={() => shown.show(zoomed(range, 2))} />
            <Step label="Zoom in" sign="+" to={() => shown.show(zoomed(range, 0.5))} />
          </Button.Group>
        </Group>
      </Group>
      {part.error && <ProblemAlert error={part.error} retry={() => void part.refetch()} />}
      {part.isPending && there && !part.error && <Loader aria-label="Loading the timeline" />}
      {part.data && (
        <>
          <Text size="sm" c="var(--aliquot-quiet)" role="status">
            {dateTime(new Date(range.from))} to {dateTime(new Date(range.to))}: {plural(spans.length, 'span')}.
            {part.data.cut && ' There are more; these are the open ones and the latest ended ones. Choose a job, a node or less time to see the others.'}
            {part.data.since > range.from && ` What ended before ${dateTime(new Date(part.data.since))} is not kept.`}
          </Text>
          {rows.length === 0 && <EmptyState title="Nothing ran then">Choose another time, or remove the filter.</EmptyState>}
          {rows.length > 0 && view === 'table' && <SpanTable spans={spans} />}
          {rows.length > 0 && view !== 'table' && (
            <>
              <Legend />
              <Gantt
                label={`Timeline by ${by === 'nodes' ? 'node' : 'job'}; the table shows the same as text`}
                rows={rows}
                whole={whole}
                part={shown.part}
                onPart={shown.show}
                moment={moment}
                describe={describe}
                rowLink={(row) => (by === 'nodes' ? `/nodes/${row.id}` : `/jobs/${row.id}`)}
                onOpen={(bar) => void navigate(`/jobs/${bar.span.job}?tab=timeline`)}
              />
            </>
          )}
        </>
      )}
    </Page>
  );
}

function Step({ label, sign, to }: { label: string; sign: string; to: () => void }) {
  return (
    <Button variant="default" px="sm" aria-label={label} onClick={to}>
      {sign}
    </Button>
  );
}

const shortest = 120_000; // least length of a fitted period

/** Returns the last period up to the last known time. A fitted period begins where the known spans begin. */
function recent({ at, since } = { at: Date.now(), since: 0 }, { last, fitted }: Shown) {
  return { from: fitted ? Math.max(at - last, Math.min(since, at - shortest)) : at - last, to: at };
}
