import type { NewSimulation } from '../../api/simulations';

/** Draft is the form of a simulation as it is filled in. */
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
}

/** Policies that are worth a comparison; any published name may be typed. */
export const suggestions = [
  'FCFS',
  'EASY',
  'conservative',
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
  policies: ['FCFS', 'EASY', 'GreedyPM */stable'], period: '10m', penalty: '5m',
};

/** The first thing that keeps a draft from being simulated; undefined: nothing. */
export function missing(draft: Draft): string | undefined {
  if (draft.policies.length === 0) return 'Choose at least one policy.';
  if (draft.source !== 'live' && draft.text === '') return 'Choose the file of a trace.';
  return undefined;
}

/** The request that a draft means. */
export function requestOf(draft: Draft): NewSimulation {
  return {
    name: draft.name || undefined,
    policies: draft.policies,
    period: draft.period || undefined,
    penalty: draft.penalty || undefined,
    ...(draft.source === 'live'
      ? { live: { runtime: draft.runtime || undefined } }
      : { trace: { format: draft.source, text: draft.text, nodes: draft.nodes, cores: draft.source === 'swf' ? draft.cores : undefined } }),
  };
}
