import type { Move, Plan, Schemas } from '../api/client';
import { bytes, cpu, plural, price, yieldText } from './amounts';
import { dateTime } from './clock';

type Outlook = Schemas['JobOutlook'];

/** Most names that a sentence lists. */
export const fewNames = 6;

/** Describes the changes of a plan in sentences. */
export function planSentences(plan: Plan): string[] {
  const sentences: string[] = [];
  sentences.push(...freshSentences(plan.jobs.filter((job) => job.new)));
  const others = plan.jobs.filter((job) => !job.new);
  const paused = others.filter((job) => job.nodesBefore.length > 0 && job.nodesAfter.length === 0);
  const started = others.filter((job) => job.nodesBefore.length === 0 && job.nodesAfter.length > 0);
  const moved = [...new Set(plan.moves.filter((move) => move.kind === 'migrate').map((move) => move.job!))];
  if (paused.length > 0) sentences.push(`${list(paused.map(name))} would be paused.`);
  if (started.length > 0) sentences.push(`${list(started.map(name))} would start or resume.`);
  sentences.push(...tierSentences(others));
  if (moved.length > 0) sentences.push(`${list(moved)} would move.`);
  sentences.push(yieldSentence(plan));
  const cost = costSentence(plan);
  if (cost) sentences.push(cost);
  if (plan.blocked.length > 0) sentences.push(`${plural(plan.blocked.length, 'task')} should change but cannot at present.`);
  return sentences;
}

// Several jobs are the occurrences of a standing reservation.
function freshSentences(jobs: Outlook[]): string[] {
  const promises = jobs.flatMap((job) => job.promise ?? []);
  const [first] = promises;
  if (!first || jobs.length === 1) return [...jobs.map(startSentence), ...promises.map(promiseSentence)];
  const total = promises.reduce((sum, it) => sum + (it.priceCoreHours ?? 0), 0);
  return [`The ${jobs.length} of the next two weeks would be promised at once, from ${at(first.from)} on, for ${price(total)} core-hours together.`];
}

const at = (moment: string) => dateTime(new Date(moment));

function startSentence(job: Outlook): string {
  if (job.nodesAfter.length === 0) return job.why ? `It would not start now: ${job.why.text}.` : 'It would not start now.';
  const nodes = list([...new Set(job.nodesAfter)]);
  return job.tierAfter === 'background' ? `It would start now in the background, on ${nodes}.` : `It would start now on ${nodes} at yield ${yieldText(job.yieldAfter)}.`;
}

function promiseSentence({ deadline, from, until, priceCoreHours, parts }: Schemas['Promise']): string {
  const cost = priceCoreHours ? `, for ${price(priceCoreHours)} core-hours` : '';
  if (deadline) return `It would be promised to end by ${at(deadline)}, with all of its CPU from ${at(from)} on at the latest${parts ? `, in ${parts.length} parts` : ''}${cost}.`;
  return `It would be promised all of its CPU from ${at(from)} to ${at(until)}${cost}.`;
}

function tierSentences(jobs: Outlook[]): string[] {
  return (['background', 'foreground'] as const).flatMap((tier) => {
    const changed = jobs.filter((job) => job.tierBefore && job.tierAfter === tier && job.tierBefore !== tier);
    return changed.length > 0 ? [`${list(changed.map(name))} would go on in the ${tier}.`] : [];
  });
}

// Jobs that wait or are paused have a yield of 0, so their number says more than the least yield of all jobs.
function yieldSentence({ yieldBefore, yieldAfter, yields, runningAfter }: Plan): string {
  if (runningAfter === 0) return 'Nothing would run.';
  if (yieldAfter === undefined) return `No standard job would run, only ${plural(runningAfter, 'job')} of other classes.`;
  const without = yields.after?.without ?? 0;
  if (without === 0) return change('The least yield', yields.before?.least ?? yieldBefore, yields.after?.least ?? yieldAfter);
  return `The least yield would be 0: ${plural(without, 'job')} without a share. ${change('That of the placed jobs', yieldBefore, yieldAfter)}`;
}

function change(what: string, before: number | undefined, after: number): string {
  if (before === undefined) return `${what} would be ${yieldText(after)}.`;
  if (yieldText(before) === yieldText(after)) return `${what} stays ${yieldText(after)}.`;
  return `${what} would go from ${yieldText(before)} to ${yieldText(after)}.`;
}

// Moves that affect a placement come first.
const kinds: Record<Move['kind'], string> = { start: 'start', migrate: 'migration', resume: 'resume', pause: 'pause', stop: 'stop', resize: 'resize' };

function costSentence({ cost }: Plan): string | undefined {
  const moves = Object.entries(kinds).filter(([kind]) => cost.moves[kind]).map(([kind, noun]) => plural(cost.moves[kind]!, noun));
  if (moves.length === 0) return undefined;
  return `The plan takes ${list(moves)}; ${cost.bytes > 0 ? `${bytes(cost.bytes)} of memory would be saved, restored or sent to another node` : 'no memory would be moved'}.`;
}

const name = (job: Outlook) => job.job;

/** Lists names in a sentence: the first few, and the number of others. */
export function list(names: string[]): string {
  const shown = names.length > fewNames ? [...names.slice(0, fewNames), plural(names.length - fewNames, 'other')] : names;
  if (shown.length <= 1) return shown.join('');
  return `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** Returns a move as a short sentence: "task 0 of j7 moves from n1 to n2 with 400m". */
export function moveSentence(move: Move): string {
  const who = move.job ? `task ${move.task} of ${move.job}` : 'a task';
  const share = move.shareMillicores > 0 ? ` with ${cpu(move.shareMillicores)}` : '';
  switch (move.kind) {
    case 'start':
      return `${who} starts on ${move.to}${share}`;
    case 'stop':
      return `${who} stops on ${move.from}`;
    case 'pause':
      return `${who} is paused on ${move.from}`;
    case 'resume':
      return `${who} resumes on ${move.to}${share}`;
    case 'migrate':
      return `${who} moves from ${move.from} to ${move.to}${share}`;
    case 'resize':
      return `${who} gets ${cpu(move.shareMillicores)} on ${move.to ?? move.from ?? 'its node'}`;
  }
}
