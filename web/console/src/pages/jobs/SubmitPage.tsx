import { Button, Grid, Group, Paper, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { idempotencyKey } from '../../api/client';
import { cancelJob, submitJob } from '../../api/jobs';
import { planQuery } from '../../api/plan';
import { faultsByField, problemOf } from '../../api/problem';
import { useMay } from '../../api/session';
import { EmptyState } from '../../ui/EmptyState';
import { useNotify } from '../../ui/Notifications';
import { Page } from '../../ui/Page';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { emptyDraft, fieldOf, specOf, useDraft, type Draft } from './draft';
import { JobFields } from './JobFields';
import { JobPreview } from './JobPreview';

/** SubmitPage is the form of a new job, for users who may submit one. */
export function SubmitPage() {
  const may = useMay('user');
  return (
    <Page title="Submit a job">{may ? <SubmitForm /> : <EmptyState title="Submitting needs the role user">Your role may only read.</EmptyState>}</Page>
  );
}

/** The form, with the effect of submitting the job now. */
function SubmitForm() {
  const [draft, setDraft] = useDraft();
  const [settled] = useDebouncedValue(draft, 400);
  const { spec, faults } = specOf(settled);
  const complete = Object.keys(faults).length === 0;
  const preview = useQuery({ ...planQuery({ submit: spec }), enabled: complete, placeholderData: (old) => old });
  const submit = useSubmit(draft, () => setDraft(emptyDraft));
  const change = (part: Partial<Draft>) => setDraft((old) => ({ ...old, ...part }));
  const failed = submit.error ?? (complete ? preview.error : null);
  const shown = { ...apiFaults(failed), ...(draft.command === '' && !submit.error ? withoutEmpty(faults) : faults) };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit.mutate();
      }}
    >
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Paper withBorder p="md">
            <JobFields draft={draft} change={change} faults={shown} />
          </Paper>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack style={{ position: 'sticky', top: 68 }}>
            <JobPreview plan={preview.data} error={preview.error} complete={complete} fetching={preview.isFetching} />
            {submit.error && <ProblemAlert error={submit.error} title="The job was not submitted" />}
            <Group>
              <Button type="submit" loading={submit.isPending}>
                Submit
              </Button>
              <Button variant="default" onClick={() => setDraft(emptyDraft)}>
                Start over
              </Button>
            </Group>
          </Stack>
        </Grid.Col>
      </Grid>
    </form>
  );
}

function useSubmit(draft: Draft, clear: () => void) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const notify = useNotify();
  const key = useRef({ key: idempotencyKey(), draft });
  return useMutation({
    mutationFn: () => {
      // The same draft sent twice is one job. A changed draft is another.
      if (key.current.draft !== draft) key.current = { key: idempotencyKey(), draft };
      return submitJob(specOf(draft).spec, key.current.key);
    },
    onSuccess: async ({ job }) => {
      clear();
      notify.done(`${job} is submitted`, {
        label: 'Cancel it',
        run: () =>
          void cancelJob(job!, idempotencyKey()).then(
            () => notify.done(`${job} is being cancelled`),
            (error: unknown) => notify.problem(error, `${job} was not cancelled`),
          ),
      });
      void client.invalidateQueries({ queryKey: ['jobs'] });
      await navigate(`/jobs/${job}`);
    },
  });
}

function apiFaults(error: Error | null): Record<string, string> {
  if (!error) return {};
  return Object.fromEntries(Object.entries(faultsByField(problemOf(error))).map(([field, text]) => [fieldOf(field), text]));
}

function withoutEmpty({ command: _, ...rest }: Record<string, string>) {
  return rest;
}
