import { useSessionStorage } from '@mantine/hooks';
import { useState } from 'react';
import type { NewSimulation } from '../../api/simulations';

/** Draft is the content of the form of a simulation. */
export interface Draft {
  name: string;
  source: 'live' | 'native' | 'swf';
  runtime: string;
  text: string;
  file: string;
  nodes: number;
  cores: number;
  policies: string[];
  period: string;
  penalty: string;
  cost: string;
  estimates: 'perfect' | 'trace';
  impossible: 'skip' | 'refuse';
  /** Memory of a node of an SWF trace, in GiB; 0: by the rules. */
  nodeMemory: number;
}

/** Policies worth comparing. Any published name may be typed. */
export const suggestions = [
  'FCFS',
  'EASY',
  'conservative',
  'EASY/cores',
  'EASY/cores/exclusive',
  'Greedy *',
  'GreedyP *',
  'GreedyPM *',
  'GreedyPM */per/opt=min/minvt=600',
  'GreedyPM */stable',
  'MCB8 */per/opt=min/minvt=600',
  '/per/opt=min/minvt=600',
];

export const emptyDraft: Draft = {
  name: '', source: 'live', runtime: '1h', text: '', file: '', nodes: 16, cores: 4,
  policies: ['FCFS', 'EASY', 'GreedyPM */stable'], period: '10m', penalty: '5m', cost: '', estimates: 'perfect', impossible: 'skip', nodeMemory: 0,
};

/** The draft of this tab. A reload keeps it, except for the trace itself, which is too large for a tab's storage. */
export function useDraft(): [Draft, (part: Partial<Draft>) => void] {
  const [kept, keep] = useSessionStorage<Draft>({ key: 'aliquot-simulation-draft', defaultValue: emptyDraft, getInitialValueInEffect: false });
  const [trace, setTrace] = useState({ file: '', text: '' });
  const change = ({ file, text, ...part }: Partial<Draft>) => {
    if (file !== undefined && text !== undefined) setTrace({ file, text });
    if (Object.keys(part).length > 0) keep((old) => ({ ...old, ...part }));
  };
  return [{ ...emptyDraft, ...kept, ...trace }, change];
}

/** Returns the first problem of a draft; undefined if there is none. */
export function missing(draft: Draft): string | undefined {
  if (draft.policies.length === 0) return 'Choose at least one policy.';
  if (draft.source !== 'live' && draft.text === '') return 'Choose the file of a trace.';
  return undefined;
}

/** Returns the request for a draft. */
export function requestOf(draft: Draft): NewSimulation {
  return {
    name: draft.name || undefined,
    policies: draft.policies,
    period: draft.period || undefined,
    penalty: draft.penalty || undefined,
    cost: draft.cost || undefined,
    estimates: draft.estimates === 'perfect' ? undefined : draft.estimates,
    impossible: draft.impossible === 'skip' ? undefined : draft.impossible,
    ...(draft.source === 'live'
      ? { live: { runtime: draft.runtime || undefined } }
      : { trace: { format: draft.source, text: draft.text, nodes: draft.nodes, ...(draft.source === 'swf' && swfNode(draft)) } }),
  };
}

const swfNode = ({ cores, nodeMemory }: Draft) => ({ cores, nodeMemoryBytes: nodeMemory > 0 ? nodeMemory * 2 ** 30 : undefined });
