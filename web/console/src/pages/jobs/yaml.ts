import { isMap, isScalar, isSeq, LineCounter, parseAllDocuments, stringify, type Node } from 'yaml';
import type { JobSpec } from '../../api/client';
import { inJob, typed } from './draft';

/** A job that was read, or why there is none. */
interface Read {
  spec?: JobSpec;
  fault?: string;
  /** Says in which lines the faults are that the API has found, by field. */
  locate?: (faults: Record<string, string>) => string;
}

/** Returns the job of a file, as the command line reads it, or why there is none. */
export function readJob(text: string): Read {
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text, { schema: 'failsafe', lineCounter }); // all values are text, as they stand there
  if (!Array.isArray(documents) || documents.length === 0) return { fault: 'a job is missing' };
  if (documents.length > 1) return { fault: 'this is more than one job; the command line submits several at once: aliquot job submit --file' };
  const [error] = documents[0]!.errors;
  if (error) return { fault: error.message };
  const job: unknown = documents[0]!.toJS();
  if (typeof job !== 'object' || job === null || Array.isArray(job)) return { fault: 'a job has fields, like cpu: 500m' };
  const line = (field: string) => {
    const at = offset(documents[0]!.contents, field.split(/[.[\]]+/).filter(Boolean));
    return at === undefined ? undefined : lineCounter.linePos(at).line;
  };
  return { spec: typed(job as Record<string, unknown>), locate: (faults) => inLines(faults, line) };
}

/** Returns where the value at the path begins, with its name. */
function offset(node: Node | null, [name, ...rest]: string[]): number | undefined {
  if (isMap<Node, Node | null>(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && key.value === name);
    return (pair && offset(pair.value, rest)) ?? pair?.key.range?.[0];
  }
  if (isSeq<Node>(node)) {
    const item = node.items[Number(name)];
    return (item && offset(item, rest)) ?? item?.range?.[0];
  }
  return undefined;
}

const known: Record<keyof JobSpec, true> = {
  after: true, args: true, budget: true, class: true, cloudInit: true, command: true, cpu: true, deadline: true, disk: true, env: true, estimate: true, files: true, image: true,
  labels: true, limits: true, memory: true, minYield: true, name: true, network: true, outputs: true, placement: true, reserve: true, restart: true, tasks: true, type: true,
};

function inLines(faults: Record<string, string>, line: (field: string) => number | undefined): string {
  return Object.entries(faults)
    .map(([field, text]) => ({ field: inJob(field), text, at: line(inJob(field)) }))
    .filter(({ at }) => at !== undefined)
    .map(({ field, text, at }) => `line ${at}: ${field}: ${text}${/[.[]/.test(field) || field in known ? '' : `; known are ${Object.keys(known).join(', ')}`}`)
    .join('\n');
}

/** Writes a job as a file. */
export const writeJob = (spec: JobSpec): string => stringify(spec);
