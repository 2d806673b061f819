import { useSessionStorage } from '@mantine/hooks';
import type { JobSpec } from '../../api/client';
import { pairs, words } from './words';

/** Draft is a job as it is being written in the form. */
export interface Draft {
  name: string;
  command: string;
  shell: boolean;
  tasks: number;
  cpu: string;
  memory: string;
  image: string;
  env: string;
  labels: string;
  nodes: string[];
  nodeLabels: string;
  spread: boolean;
  onFailure: number;
  runtime: string;
  logBytes: string;
  estimate: string;
}

export const emptyDraft: Draft = {
  name: '', command: '', shell: true, tasks: 1, cpu: '500m', memory: '128Mi', image: '', env: '', labels: '', nodes: [], nodeLabels: '',
  spread: false, onFailure: 0, runtime: '', logBytes: '', estimate: '',
};

/** The draft of this tab; a reload keeps it. */
export function useDraft() {
  return useSessionStorage<Draft>({ key: 'aliquot-job-draft', defaultValue: emptyDraft, getInitialValueInEffect: false });
}

/** The job that a draft describes, and what is wrong with it before the API is asked. */
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
  const placement = { nodes: draft.nodes.length > 0 ? draft.nodes : undefined, labels: map('nodeLabels', draft.nodeLabels), spread: draft.spread || undefined };
  const limits = { runtime: draft.runtime || undefined, logBytes: draft.logBytes || undefined };
  const spec: JobSpec = {
    name: draft.name || undefined,
    command,
    tasks: draft.tasks,
    cpu: draft.cpu,
    memory: draft.memory,
    image: draft.image || undefined,
    env: map('env', draft.env),
    labels: map('labels', draft.labels),
    placement: some(placement),
    restart: draft.onFailure > 0 ? { onFailure: draft.onFailure } : undefined,
    limits: some(limits),
    estimate: draft.estimate || undefined,
  };
  return { spec, faults };
}

function some<T extends object>(part: T): T | undefined {
  return Object.values(part).some((value) => value !== undefined) ? part : undefined;
}

/** The field of the form to which a field of the API belongs. */
export function fieldOf(path: string): string {
  const bare = path.replace(/^(body\.)?(submit\.)?/, '');
  const known: Record<string, string> = {
    'limits.runtime': 'runtime', 'limits.logBytes': 'logBytes', 'restart.onFailure': 'onFailure',
    'placement.nodes': 'nodes', 'placement.labels': 'nodeLabels', 'placement.spread': 'spread', args: 'command',
  };
  return known[bare] ?? bare.split(/[.[]/)[0]!;
}

/** A draft of another job like this one. */
export function draftOf(spec: JobSpec): Draft {
  const words = [...(spec.command ?? []), ...(spec.args ?? [])];
  const shell = words.length === 3 && words[0] === '/bin/sh' && words[1] === '-c';
  return {
    name: spec.name ?? '',
    command: shell ? words[2]! : words.map(quoted).join(' '),
    shell,
    tasks: spec.tasks ?? 1,
    cpu: spec.cpu,
    memory: spec.memory,
    image: spec.image ?? '',
    env: lines(spec.env),
    labels: lines(spec.labels),
    nodes: spec.placement?.nodes ?? [],
    nodeLabels: lines(spec.placement?.labels),
    spread: spec.placement?.spread ?? false,
    onFailure: spec.restart?.onFailure ?? 0,
    runtime: spec.limits?.runtime ?? '',
    logBytes: spec.limits?.logBytes ?? '',
    estimate: spec.estimate ?? '',
  };
}

const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

const lines = (map: Record<string, string> | undefined) =>
  Object.entries(map ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
