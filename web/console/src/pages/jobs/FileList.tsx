import { Anchor, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Job } from '../../api/client';
import { hasCode } from '../../api/problem';
import { resultAddress, resultsQuery, type Results, type ResultSource } from '../../api/results';
import { Icon } from '../../ui/Icon';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { VirtualTable } from '../../ui/VirtualTable';
import type { Column } from '../../ui/column';
import { bytes, plural } from '../../wording/amounts';
import { TaskSelect, useTask } from './TaskSelect';

/** FileList lists the files that a task has left, for downloading. */
export function FileList({ job }: { job: Job }) {
  const [index, setTask] = useTask(job);
  const source = { job: job.id, task: index, run: job.tasks?.[index]?.run ?? 0 };
  return (
    <Stack gap="sm">
      {(job.spec.tasks ?? 1) > 1 && <TaskSelect job={job} task={index} choose={setTask} />}
      {(job.spec.outputs ?? []).length === 0 ? <Text>The job names no files to keep.</Text> : <TaskFiles key={job.tasks?.[index]?.state} source={source} />}
    </Stack>
  );
}

function TaskFiles({ source }: { source: ResultSource }) {
  const results = useQuery({ ...resultsQuery(source), refetchOnMount: 'always' });
  if (hasCode(results.error, 'no_results')) return <Text role="status">No files are kept of this task: it has not started, or they have been removed.</Text>;
  if (results.error) return <ProblemAlert error={results.error} retry={() => void results.refetch()} />;
  if (!results.data) return <Loader aria-label="Loading the files" />;
  return <FileTable source={source} results={results.data} />;
}

interface Row {
  path: string;
  size?: number;
  remark?: string;
}

function FileTable({ source, results }: { source: ResultSource; results: Results }) {
  const columns = useMemo(() => columnsOf(source), [source.job, source.task, source.run]); // eslint-disable-line react-hooks/exhaustive-deps
  const rows: Row[] = [
    ...results.files.map((file) => ({ path: file.path, size: file.sizeBytes })),
    ...results.omitted.map((file) => ({ path: file.path, remark: `Not kept: ${file.text}` })),
  ];
  return (
    <>
      <Group>
        <Text size="sm" role="status">
          {words(results)}
        </Text>
        {results.files.length > 0 && (
          <Button component="a" href={resultAddress(source)} download variant="default" size="xs" leftSection={<Icon name="download" />}>
            Download all
          </Button>
        )}
      </Group>
      {rows.length > 0 && <VirtualTable label="Files" columns={columns} rows={rows} rowKey={(row) => `${row.remark ? '-' : '+'}${row.path}`} height={480} />}
    </>
  );
}

function words(results: Results): string {
  const unlisted = results.omittedCount - results.omitted.length;
  const parts = [`${plural(results.files.length, 'file')}, ${bytes(results.sizeBytes)}.`];
  if (unlisted > 0) parts.push(`${plural(unlisted, 'more file')} not kept.`);
  if (results.damaged) parts.push('The rest was damaged.');
  else if (!results.complete) parts.push('Not all is there: files are kept when the command of the task has ended.');
  return parts.join(' ');
}

const columnsOf = (source: ResultSource): Column<Row>[] => [
  { id: 'path', header: 'File', value: (row) => row.path, cell: (row) => <FileLink source={source} row={row} /> },
  { id: 'size', header: 'Size', width: 100, align: 'end', value: (row) => row.size, cell: (row) => (row.size === undefined ? '–' : bytes(row.size)) },
  { id: 'remark', header: 'Remarks', value: (row) => row.remark, cell: (row) => row.remark },
];

function FileLink({ source, row }: { source: ResultSource; row: Row }) {
  if (row.size === undefined) return <>{row.path}</>;
  return (
    <Anchor href={resultAddress(source, row.path)} download size="sm" className="wrap-anywhere">
      {row.path}
    </Anchor>
  );
}
