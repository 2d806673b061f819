import { useSessionStorage } from '@mantine/hooks';
import type { Hypothesis, JobSpec } from '../../api/client';
import type { Files } from './files';
import { moment } from '../../wording/clock';
import { pairs, words } from './words';

/**
 * Plain is a field of the form that is copied to its path in a specification. It is omitted while it equals `without`.
 */
interface Plain<T> {
  path: string;
  initial: T;
  without: T | null;
  label?: string;
  description?: string;
  /** The values that it may have; omitted: any. */
  choices?: string[];
  /** Whether a number may have decimals. */
  decimals?: boolean;
}

/** A field that is omitted while it has its initial value. Fields with a label are shown as less common fields. */
const at = <T>(path: string, initial: T, label?: string, description?: string): Plain<T> => ({ path, initial, without: initial, label, description });

/** A field that is always sent. */
const always = <T>(path: string, initial: T): Plain<T> => ({ path, initial, without: null });

/** The plain fields; those with a label are in the order in which they are shown. */
export const plain = {
  name: at('name', ''),
  tasks: always('tasks', 1),
  cpu: always('cpu', '500m'),
  memory: always('memory', '128Mi'),
  image: at('image', ''),
  nodes: at<string[]>('placement.nodes', []),
  spread: at('placement.spread', false, 'No two tasks on one node'),
  onFailure: at('restart.onFailure', 0, 'Restarts after failure', 'Of each task; losses by the cluster do not count'),
  onLoss: at('restart.onLoss', true, 'Start again after a loss', 'When the cluster lost the run; off: the job fails instead of running twice'),
  jobClass: { ...at('class', 'standard', 'Class of service', 'Background jobs get the CPU that standard jobs leave, at times none'), choices: ['standard', 'background', 'either'] },
  minYield: { ...at('minYield', 0, 'Least yield', 'It waits rather than run with a smaller part of its CPU: 0.5; 0: no floor'), decimals: true },
  disk: at('disk', '', 'Size of the disk', 'Of each task, for images of kind disk: 10Gi; empty: as large as the image'),
  network: { ...at('network', 'none', 'Network', 'bridge: an address for each task; they find each other by ALIQUOT_PEERS'), choices: ['none', 'bridge'] },
  runtime: at('limits.runtime', '', 'Longest running time', 'The job fails after it: 2h; empty: no limit'),
  logBytes: at('limits.logBytes', '', 'Output kept', 'Of each task; empty: 10Mi'),
  resultBytes: at('limits.resultBytes', '', 'Files kept', 'Contents of the files of each task; empty: 100Mi'),
  reserveStart: at('reserve.start', '', 'Reserve from', 'The job runs then, with all of its CPU: 2026-11-26T14:00:00Z, 18:00 on your clock, or 10m: from now; made every week: 09:00 in the time zone below; empty: as soon as it can'),
  reserveDuration: at('reserve.duration', '', 'Reserve for', 'Length of the reserved interval: 2h'),
  deadlineBy: at('deadline.by', '', 'End by', 'The job is promised to have had its work: 2026-11-26T18:00:00Z, 18:00 on your clock, or 8h: from now; it needs one of the next two'),
  deadlineDuration: at('deadline.duration', '', 'It takes', 'How long it takes with all of its CPU: 2h'),
  deadlineWork: at('deadline.work', '', 'CPU time', 'Of all tasks together: 8h'),
  deadlineReady: at('deadline.ready', '', 'Not before', 'With a deadline: 2026-11-26T14:00:00Z, 14:00 on your clock, or 1h: from now; empty: it may run at once'),
  deadlinePausable: at('deadline.pausable', false, 'Pausable', 'With a deadline: the work may be promised in several parts, between which the job may be paused'),
  budget: { ...at('budget', 0, 'Budget', 'The most core-hours that the promise may cost: 3; 0: any price'), decimals: true },
  type: at('type', '', 'Type of work', 'Jobs of one type and size are expected to take equally long; empty: those with the same image name, command and input'),
  estimate: at('estimate', '', 'Estimate', 'Run time at full speed, for policies that use it: 20m'),
};

export type PlainField = keyof typeof plain;
type PlainDraft = { [K in PlainField]: (typeof plain)[K]['initial'] };

const plainFields = Object.keys(plain) as PlainField[];

/** Returns the plain fields with the given value of each. */
function plainDraft(value: (field: Plain<unknown>) => unknown): PlainDraft {
  return Object.fromEntries(plainFields.map((key) => [key, value(plain[key])])) as PlainDraft;
}

/** Draft is the content of the form of a new job. */
export interface Draft extends PlainDraft {
  command: string;
  shell: boolean;
  env: string;
  labels: string;
  nodeLabels: string;
  /** Texts that the job brings along, by their path. */
  files: Files;
  outputs: string;
  /** Days of the week on which its interval is reserved again; none: once. */
  days: string[];
  zone: string;
  until: string;
}

export const emptyDraft: Draft = {
  ...plainDraft((field) => field.initial),
  command: '', shell: true, env: '', labels: '', nodeLabels: '', files: {}, outputs: '', days: [], zone: 'UTC', until: '',
};

const unfolded: (keyof Draft)[] = ['name', 'command', 'shell', 'tasks', 'cpu', 'memory', 'image', 'zone'];

/** Reports whether the draft has a value in one of the fields that the form folds away. */
export function fillsFolded(draft: Draft): boolean {
  return (Object.keys(emptyDraft) as (keyof Draft)[]).some(
    (key) => !unfolded.includes(key) && draft[key] !== undefined && JSON.stringify(draft[key]) !== JSON.stringify(emptyDraft[key]),
  );
}

/** The draft of this tab; a reload keeps it. */
export function useDraft() {
  return useSessionStorage<Draft>({ key: 'aliquot-job-draft', defaultValue: emptyDraft, getInitialValueInEffect: false });
}

/** Returns the job of a draft, and the faults that are known without asking the API. */
export function specOf(draft: Draft): { spec: JobSpec; faults: Record<string, string> } {
  const faults: Record<string, string> = {};
  const map = (field: keyof Draft & string, text: string) => {
    const { map, fault } = pairs(text);
    if (fault) faults[field] = fault;
    return Object.keys(map).length > 0 ? map : undefined;
  };
  const command = draft.shell ? ['/bin/sh', '-c', draft.command] : words(draft.command);
  if (!command) faults.command = 'a quote is not closed';
  if (draft.command.trim() === '') faults.command = 'name a command to run';
  const spec: Tree = {};
  for (const key of plainFields) {
    if (JSON.stringify(draft[key]) !== JSON.stringify(plain[key].without)) put(spec, plain[key].path, draft[key]);
  }
  for (const key of ['reserveStart', 'deadlineBy', 'deadlineReady'] as const) {
    if (draft[key] && !(key === 'reserveStart' && weekly(draft))) put(spec, plain[key].path, moment(draft[key], new Date()));
  }
  put(spec, 'command', command);
  put(spec, 'env', map('env', draft.env));
  put(spec, 'labels', map('labels', draft.labels));
  const outputs = (draft.outputs ?? '').split('\n').map((line) => line.trim()).filter((line) => line !== '');
  put(spec, 'files', Object.keys(draft.files ?? {}).length > 0 ? draft.files : undefined); // a draft kept by an earlier version lacks them
  put(spec, 'outputs', outputs.length > 0 ? outputs : undefined);
  put(spec, 'placement.labels', map('nodeLabels', draft.nodeLabels));
  return { spec: spec as unknown as JobSpec, faults };
}

/** Returns what a draft asks for: a job, or an interval of one on some days of every week. */
export function orderOf(draft: Draft): { order: Hypothesis; faults: Record<string, string> } {
  const { spec, faults } = specOf(draft);
  if (!weekly(draft)) return { order: { submit: spec }, faults };
  const { reserve, ...job } = spec;
  const [days, zone, until] = [draft.days as WeekDays, draft.zone || emptyDraft.zone, draft.until || undefined];
  return { order: { stand: { days, start: reserve?.start ?? '', duration: reserve?.duration ?? '', zone, until, job } }, faults };
}

type WeekDays = NonNullable<Hypothesis['stand']>['days'];

/** Whether the draft is of a standing reservation. A draft kept by an earlier version of the page lacks days. */
export const weekly = (draft: Draft) => (draft.days ?? []).length > 0;

type Tree = { [name: string]: unknown };

/** Puts a value at the path; undefined is omitted. */
function put(tree: Tree, path: string, value: unknown) {
  if (value === undefined) return;
  const [first, rest] = path.split('.') as [string, string?];
  if (rest === undefined) tree[first] = value;
  else put((tree[first] ??= {}) as Tree, rest, value);
}

/** Converts the text of fields that are numbers or switches. Other text stays as it is, and the API refuses it. */
export function typed(job: Tree): JobSpec {
  for (const { path, initial } of Object.values(plain)) {
    const text = get(job, path);
    if (typeof initial === 'number' && /^\d+(\.\d+)?$/.test(String(text))) put(job, path, Number(text));
    if (typeof initial === 'boolean' && (text === 'true' || text === 'false')) put(job, path, text === 'true');
  }
  return job as unknown as JobSpec;
}

/** Returns the value at the path. */
function get(tree: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((part, name) => (part as Tree | undefined)?.[name], tree);
}

/** Returns the field of a job for a field of a request. */
export const inJob = (path: string) => path.replace(/^(body\.)?(submit\.|stand\.)?(job\.)?/, '');

/** Returns the field of the form for a field of the API. */
export function fieldOf(path: string): string {
  const bare = inJob(path);
  if (bare === 'start' || bare === 'duration') return bare === 'start' ? 'reserveStart' : 'reserveDuration';
  if (bare === 'placement.labels') return 'nodeLabels';
  if (bare === 'args') return 'command';
  return plainFields.find((key) => plain[key].path === bare) ?? bare.split(/[.[]/)[0]!;
}

/** Returns a draft of another job like this one. */
export function draftOf(spec: JobSpec): Draft {
  const words = [...(spec.command ?? []), ...(spec.args ?? [])];
  const shell = words.length === 3 && words[0] === '/bin/sh' && words[1] === '-c';
  return {
    ...plainDraft((field) => get(spec, field.path) ?? field.initial),
    command: shell ? words[2]! : words.map(quoted).join(' '),
    shell,
    env: lines(spec.env),
    labels: lines(spec.labels),
    nodeLabels: lines(spec.placement?.labels),
    files: spec.files ?? {},
    outputs: (spec.outputs ?? []).join('\n'),
    days: emptyDraft.days,
    zone: emptyDraft.zone,
    until: emptyDraft.until,
  };
}

const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

const lines = (map: Record<string, string> | undefined) =>
  Object.entries(map ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
