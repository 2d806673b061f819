import { Button, Grid, Group, Paper, SegmentedControl, Stack } from '@mantine/core';
import { useDebouncedValue, useSessionStorage } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, type ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { idempotencyKey, type Hypothesis, type JobSpec } from '../../api/client';
import { cancelJob, submitJob } from '../../api/jobs';
import { heldBy } from '../../api/offers';
import { planQuery } from '../../api/plan';
import { faultsByField, problemOf, ProblemError } from '../../api/problem';
import { useMay } from '../../api/session';
import { makeStanding } from '../../api/standing';
import { EmptyState } from '../../ui/EmptyState';
import { useNotify } from '../../ui/Notifications';
import { Page } from '../../ui/Page';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { useUrlState } from '../../ui/url';
import { draftOf, emptyDraft, fieldOf, orderOf, specOf, useDraft, weekly, type Draft } from './draft';
import { JobFields } from './JobFields';
import { JobPreview } from './JobPreview';
import { OfferDialog } from './OfferDialog';
import { YamlField } from './YamlField';

/** SubmitPage is the form of a new job, for users who may submit one. */
export function SubmitPage() {
  const may = useMay('user');
  return (
    <Page title="Submit a job">{may ? <SubmitForm /> : <EmptyState title="Submitting needs the role user">Your role may only read.</EmptyState>}</Page>
  );
}

/** The form or the YAML of a job, with the effect of submitting it now. */
function SubmitForm() {
  const [as, setAs] = useUrlState('as', 'form');
  const [draft, setDraft] = useDraft();
  const [text, setText] = useSessionStorage({ key: 'aliquot-job-yaml', defaultValue: '', getInitialValueInEffect: false });
  const turn = (to: string) => {
    void import('./yaml').then(({ readJob, writeJob }) => {
      if (to === 'yaml') setText(writeJob(specOf(draft).spec));
      const { spec } = to === 'form' ? readJob(text) : {};
      if (spec) setDraft(draftOf(spec));
      setAs(to);
    });
  };
  const choice = <SegmentedControl aria-label="Write the job as" data={[{ value: 'form', label: 'Form' }, { value: 'yaml', label: 'YAML', disabled: as === 'form' && weekly(draft) }]} value={as} onChange={turn} w="fit-content" />;
  return as === 'yaml' ? <AsYaml choice={choice} text={text} setText={setText} /> : <AsForm choice={choice} draft={draft} setDraft={setDraft} />;
}

interface FormProps {
  choice: ReactNode;
  draft: Draft;
  setDraft: (draft: Draft | ((old: Draft) => Draft)) => void;
}

function AsForm({ choice, draft, setDraft }: FormProps) {
  const [settled] = useDebouncedValue(draft, 400);
  const { order, faults } = orderOf(settled);
  const change = (part: Partial<Draft>) => setDraft((old) => ({ ...old, ...part }));
  const complete = Object.keys(faults).length === 0;
  return (
    <Submitting settled={complete ? order : undefined} present={() => Promise.resolve(orderOf(draft).order)} clear={() => setDraft(emptyDraft)}>
      {(failed, submitted) => (
        <>
          {choice}
          <JobFields draft={draft} change={change} faults={{ ...apiFaults(failed), ...(draft.command === '' && !submitted ? withoutEmpty(faults) : faults) }} />
        </>
      )}
    </Submitting>
  );
}

interface YamlProps {
  choice: ReactNode;
  text: string;
  setText: (text: string) => void;
}

const read = async (text: string) => (await import('./yaml')).readJob(text);

const submitting = (submit: JobSpec | undefined): Hypothesis | undefined => submit && { submit };

function AsYaml({ choice, text, setText }: YamlProps) {
  const [settled] = useDebouncedValue(text, 400);
  const job = useQuery({ queryKey: ['yaml', settled], queryFn: () => read(settled), placeholderData: (old) => old, gcTime: 0 });
  return (
    <Submitting settled={submitting(job.data?.spec)} present={async () => submitting((await read(text)).spec)} clear={() => setText('')}>
      {(failed) => (
        <>
          {choice}
          <YamlField text={text} change={setText} fault={text.trim() ? job.data?.fault ?? (failed && job.data?.locate?.(faultsByField(problemOf(failed)))) : undefined} />
        </>
      )}
    </Submitting>
  );
}

interface SubmittingProps {
  /** Order whose effect is shown; undefined: it is not complete. */
  settled: Hypothesis | undefined;
  /** Returns what is asked for now. */
  present: () => Promise<Hypothesis | undefined>;
  clear: () => void;
  children: (failed: Error | null, submitted: boolean) => ReactNode;
}

/** Submitting surrounds the fields of a job with its effect and the button that submits it. */
function Submitting({ settled, present, clear, children }: SubmittingProps) {
  const complete = settled !== undefined;
  const preview = useQuery({ ...planQuery(settled ?? {}), enabled: complete, placeholderData: (old) => old });
  const { done, ...submit } = useSubmit(present, clear);
  const held = heldBy(submit.error);
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
            <Stack>{children(submit.error ?? (complete ? preview.error : null), submit.error !== null)}</Stack>
          </Paper>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack style={{ position: 'sticky', top: 68 }}>
            <JobPreview plan={preview.data} error={preview.error} complete={complete} fetching={preview.isFetching} />
            {held.length > 0 && <OfferDialog held={held} why={problemOf(submit.error).detail} accepted={(job) => void done(job)} close={submit.reset} />}
            {submit.error && <ProblemAlert error={submit.error} title="The job was not submitted" />}
            <Group>
              <Button type="submit" loading={submit.isPending}>
                Submit
              </Button>
              <Button variant="default" onClick={clear}>
                Start over
              </Button>
            </Group>
          </Stack>
        </Grid.Col>
      </Grid>
    </form>
  );
}

function useSubmit(present: () => Promise<Hypothesis | undefined>, clear: () => void) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const notify = useNotify();
  const key = useRef({ key: idempotencyKey(), spec: '' });
  const done = async (job: string) => {
    clear();
    notify.done(`${job} is submitted`, {
      label: 'Cancel it',
      run: () =>
        void cancelJob(job, idempotencyKey()).then(
          () => notify.done(`${job} is being cancelled`),
          (error: unknown) => notify.problem(error, `${job} was not cancelled`),
        ),
    });
    void client.invalidateQueries({ queryKey: ['jobs'] });
    await navigate(`/jobs/${job}`);
  };
  const stands = async (standing: string) => {
    clear();
    notify.done(`${standing} is made`);
    void client.invalidateQueries({ queryKey: ['standing'] });
    void client.invalidateQueries({ queryKey: ['reservations'] });
    await navigate('/reservations');
  };
  const submit = useMutation({
    mutationFn: async () => {
      const order = await present();
      if (!order) throw new ProblemError(unreadable);
      // The same job sent twice is one job. A changed one is another.
      const text = JSON.stringify(order);
      if (key.current.spec !== text) key.current = { key: idempotencyKey(), spec: text };
      return order.stand ? makeStanding(order.stand, key.current.key) : submitJob(order.submit!, key.current.key);
    },
    onSuccess: ({ job, standing }) => (standing ? stands(standing) : done(job!)),
  });
  return { ...submit, done };
}

/** The problem of a job that is not YAML. */
const unreadable = { type: 'about:blank', title: 'No job', status: 422, code: 'invalid', detail: 'the YAML cannot be read', help: 'The fault is at its field.' };

function apiFaults(error: Error | null): Record<string, string> {
  if (!error) return {};
  return Object.fromEntries(Object.entries(faultsByField(problemOf(error))).map(([field, text]) => [fieldOf(field), text]));
}

function withoutEmpty({ command: _, ...rest }: Record<string, string>) {
  return rest;
}
