import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import type { Plan } from '../../api/client';
import { answer, Refusal } from '../../test/answers';
import { admin, problem, renderPage } from '../../test/render';
import { draftOf, emptyDraft, orderOf, specOf } from './draft';
import { SubmitPage } from './SubmitPage';
import { words } from './words';

beforeEach(() => sessionStorage.clear());

const plan: Plan = {
  basis: 16, blocked: [], refusals: [], cancelled: [], broken: [], runningBefore: 1, runningAfter: 1, yieldBefore: 0.61, yieldAfter: 0.54, moves: [],
  cost: { bytes: 0, moves: {} }, nodes: [], paused: ['j7'], yields: {},
  jobs: [
    { job: 'j9', new: true, nodesBefore: [], nodesAfter: ['n2', 'n5'], yieldAfter: 0.54 },
    { job: 'j7', nodesBefore: ['n2'], nodesAfter: [], yieldBefore: 0.61 },
  ],
};
const rest = { 'GET /v1/images': { images: [] }, 'GET /v1/nodes': { nodes: [] } };

test('what would happen is said before the job is submitted', async () => {
  const asked = answer({ ...rest, 'POST /v1/plan': plan });
  renderPage(<SubmitPage />, { at: '/jobs/submit' });
  await userEvent.type(screen.getByLabelText(/^Command/), 'echo hi');
  expect(await screen.findByText('It would start now on n2 and n5 at yield 0.54.')).toBeVisible();
  expect(screen.getByText('j7 would be paused.')).toBeVisible();
  expect(screen.getByText('The least yield would go from 0.61 to 0.54.')).toBeVisible();
  const submit = { command: ['/bin/sh', '-c', 'echo hi'], tasks: 1, cpu: '500m', memory: '128Mi' };
  await waitFor(() => expect(asked.findLast((it) => it.path === '/v1/plan')!.body).toEqual({ submit })); // a slow typist causes a request in between
});

test.each([
  [{}, 'false'],
  [{ name: 'x', cpu: '2' }, 'false'],
  [{ reserveStart: '2026-01-01T15:00:00Z', reserveDuration: '60m' }, 'true'],
])('the less common fields of %j are unfolded: %s', async (part, expanded) => {
  answer({ ...rest, 'POST /v1/plan': plan });
  sessionStorage.setItem('aliquot-job-draft', JSON.stringify({ ...emptyDraft, ...part }));
  renderPage(<SubmitPage />, { at: '/jobs/submit' });
  expect(await screen.findByRole('button', { name: /^Environment, files/ })).toHaveAttribute('aria-expanded', expanded);
});

test('what the API refuses stands at the field to blame', async () => {
  const refusal = problem(422, 'need_exceeds_every_node', 'a task needs 64000m, the largest allowed node offers 2000m', { field: 'submit.cpu' });
  answer({ ...rest, 'POST /v1/plan': new Refusal(refusal) });
  renderPage(<SubmitPage />, { at: '/jobs/submit' });
  await userEvent.type(screen.getByLabelText(/^Command/), 'echo hi');
  await waitFor(() => expect(screen.getByLabelText(/^CPU need/)).toHaveAccessibleDescription(/the largest allowed node offers 2000m/));
});

test('submitting leads to the job', async () => {
  const asked = answer({ ...rest, 'POST /v1/plan': plan, 'POST /v1/jobs': { revision: 17, job: 'j9' } });
  const { router } = renderPage(<SubmitPage />, { at: '/jobs/submit' });
  await userEvent.type(screen.getByLabelText(/^Command/), 'echo hi');
  await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/jobs/j9'));
  expect(await screen.findByText('j9 is submitted')).toBeVisible();
  expect(asked.find((it) => it.path === '/v1/jobs')!.headers.get('idempotency-key')).toMatch(/^console-/);
});

test('cancelling what was just submitted says that it is done', async () => {
  const asked = answer({ ...rest, 'POST /v1/plan': plan, 'POST /v1/jobs': { revision: 17, job: 'j9' }, 'DELETE /v1/jobs/j9': { revision: 18 } });
  renderPage(<SubmitPage />, { at: '/jobs/submit' });
  await userEvent.type(screen.getByLabelText(/^Command/), 'echo hi');
  await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel it' }));
  expect(await screen.findByText('j9 is being cancelled')).toBeVisible();
  expect(asked).toContainEqual(expect.objectContaining({ method: 'DELETE', path: '/v1/jobs/j9' })); // a preview may be asked for after it
});

const noRoom = problem(409, 'cannot_be_promised', 'room for 1 of 2 tasks', {
  alternatives: [
    { start: '2026-11-26T16:00:00Z', duration: '2h', tasks: 2, offer: 'o1', expires: '2026-11-26T12:01:00Z' },
    { start: '2026-11-26T14:00:00Z', duration: '1h', tasks: 2 },
  ],
});

test('what is offered instead of a refused promise can be accepted', async () => {
  answer({ ...rest, 'POST /v1/plan': plan, 'POST /v1/jobs': new Refusal(noRoom), 'POST /v1/offers/o1/accept': { revision: 18, job: 'j9' } });
  const { router } = renderPage(<SubmitPage />, { at: '/jobs/submit' });
  await userEvent.type(screen.getByLabelText(/^Command/), 'echo hi');
  await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Accept o1' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/jobs/j9'));
});

test('offers that are not accepted are given back', async () => {
  const asked = answer({ ...rest, 'POST /v1/plan': plan, 'POST /v1/jobs': new Refusal(noRoom), 'DELETE /v1/offers/o1': { revision: 18 } });
  renderPage(<SubmitPage />, { at: '/jobs/submit' });
  await userEvent.type(screen.getByLabelText(/^Command/), 'echo hi');
  await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Decline all' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Accept o1' })).toBeNull()); // the dialog closes a moment after the click
  expect(asked).toContainEqual(expect.objectContaining({ method: 'DELETE', path: '/v1/offers/o1' })); // a preview may be asked for after it
});

test('offers are left until they expire when their dialog is closed', async () => {
  const asked = answer({ ...rest, 'POST /v1/plan': plan, 'POST /v1/jobs': new Refusal(noRoom) });
  renderPage(<SubmitPage />, { at: '/jobs/submit' });
  await userEvent.type(screen.getByLabelText(/^Command/), 'echo hi');
  await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
  await screen.findByRole('button', { name: 'Accept o1' });
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Accept o1' })).toBeNull());
  expect(asked.filter((it) => it.method === 'DELETE')).toEqual([]);
});

test('an interval is reserved again every week', async () => {
  const promise = { from: '2026-11-30T08:00:00Z', until: '2026-11-30T16:00:00Z', nodes: ['n2'], state: 'promised', priceCoreHours: 1.5 };
  const occurrence = (job: string) => ({ job, new: true, nodesBefore: [], nodesAfter: [], promise });
  const asked = answer({ ...rest, 'POST /v1/plan': { ...plan, jobs: [occurrence('j9'), occurrence('j10')] }, 'POST /v1/standing': { revision: 17, standing: 's3' } });
  sessionStorage.setItem('aliquot-job-draft', JSON.stringify({ ...emptyDraft, command: 'echo hi', reserveStart: '09:00', reserveDuration: '8h', days: ['mon', 'fri'], zone: 'Europe/Paris' }));
  const { router } = renderPage(<SubmitPage />, { at: '/jobs/submit' });
  expect(await screen.findByText(/^The 2 of the next two weeks would be promised at once, .* for 3 core-hours together\.$/)).toBeVisible();
  expect(screen.getByRole('radio', { name: 'YAML' })).toBeDisabled();
  const job = { command: ['/bin/sh', '-c', 'echo hi'], tasks: 1, cpu: '500m', memory: '128Mi' };
  const stand = { days: ['mon', 'fri'], start: '09:00', duration: '8h', zone: 'Europe/Paris', job };
  expect(asked.findLast((it) => it.path === '/v1/plan')!.body).toEqual({ stand });
  await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/reservations'));
  expect(asked.find((it) => it.path === '/v1/standing')!.body).toEqual(stand);
});

test('times of a job are told to the API as times, and those of a standing reservation by the clock', () => {
  const draft = { ...emptyDraft, command: 'x', reserveStart: '10m', deadlineBy: '18:00', deadlineReady: '2026-11-26T18:00:00Z' };
  const { spec } = specOf(draft);
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:00Z$/;
  expect([spec.reserve?.start, spec.deadline?.by]).toEqual([expect.stringMatching(time), expect.stringMatching(time)]);
  expect(spec.deadline?.ready).toBe('2026-11-26T18:00:00Z');
  expect(orderOf({ ...draft, reserveStart: '09:00', days: ['mon'] }).order.stand?.start).toBe('09:00');
});

test.each([
  ['stand.start', /^Reserve from/],
  ['stand.days', /^Reserve again every/],
  ['stand.zone', /^Time zone/],
  ['stand.job.cpu', /^CPU need/],
])('what the API refuses of a standing reservation stands at the field to blame: %s', async (field, label) => {
  answer({ ...rest, 'POST /v1/plan': new Refusal(problem(422, 'invalid', 'it is wrong', { field })) });
  sessionStorage.setItem('aliquot-job-draft', JSON.stringify({ ...emptyDraft, command: 'echo hi', reserveStart: '9', days: ['mon'] }));
  renderPage(<SubmitPage />, { at: '/jobs/submit' });
  await userEvent.click(await screen.findByText(/^Environment, files/));
  await waitFor(() => expect(screen.getAllByLabelText(label)[0]).toHaveAccessibleDescription(/it is wrong/));
});

test('a job brings a script along, and what is too large is refused before it is sent', async () => {
  const asked = answer({ ...rest, 'POST /v1/plan': plan, 'POST /v1/jobs': { revision: 17, job: 'j9' } });
  renderPage(<SubmitPage />, { at: '/jobs/submit' });
  await userEvent.type(screen.getByLabelText(/^Command/), 'sh work.sh');
  await userEvent.click(screen.getByRole('button', { name: /^Environment, files/ }));
  const chooser = document.querySelector<HTMLInputElement>('input[type="file"][aria-label="Files to bring"]')!;
  await userEvent.upload(chooser, [new File(['echo hällo\n'], 'work.sh'), new File(['1,2\n'], 'data.csv')]);
  expect(await screen.findByText('work.sh, 12 B')).toBeVisible();
  for (const [file, why] of [
    [new File(['x'.repeat(65537)], 'large.txt'), /large.txt is larger than 64 KiB/],
    [new File([new Uint8Array([0xff, 0xfe])], 'binary'), /binary is not UTF-8 text/],
    [new File(['x'.repeat(65530)], 'full.txt'), /more than 64 KiB in all/],
  ] as const) {
    await userEvent.upload(chooser, file);
    expect(await screen.findByText(why)).toBeVisible();
  }
  await userEvent.click(screen.getByRole('button', { name: 'Remove data.csv' }));
  expect(screen.queryByText(/more than 64 KiB in all/)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
  await waitFor(() => expect(asked.find((it) => it.path === '/v1/jobs')?.body).toMatchObject({ files: { 'work.sh': 'echo hällo\n' } }));
});

test('a viewer is told that submitting needs another role', () => {
  answer(rest);
  renderPage(<SubmitPage />, { at: '/jobs/submit', session: { ...admin, role: 'viewer' } });
  expect(screen.getByText('Submitting needs the role user')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Submit' })).toBeNull();
});

test('a reload keeps the draft', async () => {
  answer({ ...rest, 'POST /v1/plan': plan });
  renderPage(<SubmitPage />, { at: '/jobs/submit' });
  await userEvent.type(screen.getByLabelText('Name'), 'mine');
  await waitFor(() => expect(sessionStorage.getItem('aliquot-job-draft')).toContain('"mine"'));
});

test('a command line is split as a shell splits it', () => {
  expect(words(`/bin/echo "two words" 'a "b"' c\\ d ""`)).toEqual(['/bin/echo', 'two words', 'a "b"', 'c d', '']);
  expect(words('echo "open')).toBeUndefined();
});

test('a job submitted again is the same job', () => {
  const spec = {
    name: 'x', command: ['/bin/echo', "it's", 'two words', ''], tasks: 2, cpu: '1', memory: '96Mi', env: { A: 'b=c' },
    placement: { nodes: ['n1'], spread: true }, limits: { runtime: '2h' }, restart: { onFailure: 2, onLoss: false }, labels: { team: 'blue' },
  };
  expect(specOf(draftOf(spec)).spec).toEqual(spec);
  expect(specOf({ ...emptyDraft, command: 'x', env: 'no equals' }).faults).toEqual({ env: 'line 1 is not NAME=value' });
});

const written = (text: string) => sessionStorage.setItem('aliquot-job-yaml', JSON.stringify(text));

test('a job is written as YAML, whose text stays text, and checked by the server', async () => {
  const asked = answer({ ...rest, 'POST /v1/plan': plan, 'POST /v1/jobs': { revision: 17, job: 'j9' } });
  written('name: render\ntasks: 4\ncpu: 1.5\nmemory: 96Mi\ncommand: [/bin/true]\nenv: {FRAME: 007}\nrestart: {onLoss: false}\n');
  const { router } = renderPage(<SubmitPage />, { at: '/jobs/submit?as=yaml' });
  expect(await screen.findByText('j7 would be paused.')).toBeVisible();
  const spec = { name: 'render', tasks: 4, cpu: '1.5', memory: '96Mi', command: ['/bin/true'], env: { FRAME: '007' }, restart: { onLoss: false } };
  expect(asked.findLast((it) => it.path === '/v1/plan')!.body).toEqual({ submit: spec });
  await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/jobs/j9'));
  expect(asked.find((it) => it.path === '/v1/jobs')!.body).toEqual(spec);
});

test('a file fills the YAML', async () => {
  answer({ ...rest, 'POST /v1/plan': plan });
  renderPage(<SubmitPage />, { at: '/jobs/submit?as=yaml' });
  const input = document.querySelector<HTMLInputElement>('input[type=file]')!;
  await userEvent.upload(input, new File(['cpu: 500m\nmemory: 96Mi\n'], 'job.yaml', { type: 'text/plain' }));
  await waitFor(() => expect(screen.getByLabelText('Job as YAML')).toHaveValue('cpu: 500m\nmemory: 96Mi\n'));
  expect(await screen.findByText('j7 would be paused.')).toBeVisible();
});

test.each([
  ['cpu: [', /at line 1/],
  ['cpu: 1\n---\ncpu: 2\n', /more than one job/],
  ['- 1', /a job has fields/],
])('YAML that is no job says why, and is not asked about: %j', async (text, why) => {
  const asked = answer(rest);
  written(text);
  renderPage(<SubmitPage />, { at: '/jobs/submit?as=yaml' });
  expect(await screen.findByText(why)).toBeVisible();
  expect(asked.some((it) => it.path === '/v1/plan')).toBe(false);
});

test('faults that the API finds in YAML are told with their lines, and an unknown field with those that exist', async () => {
  const errors = [{ field: 'submit.bogus', message: 'there is no such field' }, { field: 'submit.restart.onFailure', message: 'expected integer' }, { field: 'submit.command[1]', message: 'is empty' }];
  answer({ ...rest, 'POST /v1/plan': new Refusal(problem(422, 'invalid', 'there is no such field', { field: 'submit.bogus', errors })) });
  written('cpu: 500m\nbogus: 1\nrestart:\n  onFailure: often\ncommand:\n- cat\n- ""\n');
  renderPage(<SubmitPage />, { at: '/jobs/submit?as=yaml' });
  expect(await screen.findByText(/^line 2: bogus: there is no such field; known are after, args, .*, type line 4: restart.onFailure: expected integer line 7: command\[1\]: is empty$/)).toBeVisible();
});

test('the form and the YAML are the same job', async () => {
  answer({ ...rest, 'POST /v1/plan': plan });
  renderPage(<SubmitPage />, { at: '/jobs/submit' });
  await userEvent.type(screen.getByLabelText('Name'), 'render');
  await userEvent.click(screen.getByRole('radio', { name: 'YAML' }));
  const field = await screen.findByLabelText('Job as YAML');
  expect((field as HTMLTextAreaElement).value).toMatch(/^name: render\ntasks: 1\ncpu: 500m\n/);
  await userEvent.clear(field);
  await userEvent.type(field, 'name: other');
  await userEvent.click(screen.getByRole('radio', { name: 'Form' }));
  await waitFor(() => expect(screen.getByLabelText('Name')).toHaveValue('other'));
});
