import { parseAllDocuments, stringify } from 'yaml';
import type { JobSpec } from '../../api/client';
import { typed } from './draft';

/** Returns the job of a file, as the command line reads it, or why there is none. */
export function readJob(text: string): { spec?: JobSpec; fault?: string } {
  const documents = parseAllDocuments(text, { schema: 'failsafe' }); // all values are text, as they stand there
  if (!Array.isArray(documents) || documents.length === 0) return { fault: 'a job is missing' };
  if (documents.length > 1) return { fault: 'this is more than one job; the command line submits several at once: aliquot job submit --file' };
  const [error] = documents[0]!.errors;
  if (error) return { fault: error.message };
  const job: unknown = documents[0]!.toJS();
  if (typeof job !== 'object' || job === null || Array.isArray(job)) return { fault: 'a job has fields, like cpu: 500m' };
  return { spec: typed(job as Record<string, unknown>) };
}

/** Writes a job as a file. */
export const writeJob = (spec: JobSpec): string => stringify(spec);
