import { unanswered } from './client';
import { problemOf, readProblem } from './problem';

/** The size of a terminal, in characters. */
export interface Size {
  rows: number;
  columns: number;
}

/** The command that runs beside a task, at a terminal. */
export interface Command {
  job: string;
  task: number;
  words: string[];
  size: Size;
}

/** How a command ended: with its exit code, or why it could not run or was cut off. */
export interface Outcome {
  code?: number;
  error?: string;
}

/** Receives what a command writes, and last how it ended. */
export interface Listener {
  begins: () => void;
  writes: (bytes: Uint8Array) => void;
  ends: (outcome: Outcome) => void;
}

/** A command that runs: it is typed to, its terminal changes its size, and it is killed when it is closed. */
export interface Shell {
  type: (text: string) => void;
  resize: (size: Size) => void;
  close: () => void;
}

/** The kinds of frames, which docs/api.md lists. */
const kind = { open: 1, opened: 2, data: 3, errors: 4, exit: 6, resize: 7 };

/** The bytes of a frame beside its kind, at most. */
const most = (16 << 10) - 1;

/** Runs a command beside a task. Nothing is told any more once it was closed. */
export function openShell({ job, task, words, size }: Command, to: Listener): Shell {
  const path = `/v1/jobs/${job}/tasks/${task}/exec`;
  const socket = new WebSocket(new URL(path, window.location.href.replace(/^http/, 'ws')));
  socket.binaryType = 'arraybuffer';
  let [runs, over] = [false, false];
  const end = (outcome: Outcome) => {
    if (!over) to.ends(outcome);
    over = true;
  };
  const send = (of: number, bytes: Uint8Array) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(frame(of, bytes));
  };
  socket.onopen = () => send(kind.open, document({ command: words, terminal: size }));
  socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
    const [of, bytes] = [new Uint8Array(data)[0], new Uint8Array(data).subarray(1)];
    if (over) return;
    if (of === kind.opened) {
      runs = true;
      to.begins();
    }
    if (of === kind.data || of === kind.errors) to.writes(bytes);
    if (of === kind.exit) end(outcome(bytes));
  };
  socket.onclose = () => {
    if (runs) end({ error: 'the connection to the manager ended, and the command is killed with it' });
    else if (!over) void refusal(path).then((error) => end({ error }));
  };
  return {
    type: (text) => {
      const bytes = new TextEncoder().encode(text);
      for (let from = 0; from < bytes.length; from += most) send(kind.data, bytes.subarray(from, from + most));
    },
    resize: (changed) => send(kind.resize, document(changed)),
    close: () => {
      over = true;
      socket.close();
    },
  };
}

/** Reads how a command ended. A guest may send anything. */
function outcome(bytes: Uint8Array): Outcome {
  try {
    const { code, error } = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
    return { code: typeof code === 'number' ? code : undefined, error: typeof error === 'string' ? error : undefined };
  } catch {
    return { error: 'the guest did not say how it ended' };
  }
}

const document = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

function frame(of: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(bytes.length + 1);
  all[0] = of;
  all.set(bytes, 1);
  return all;
}

/**
 * Returns why a stream was refused, which browsers do not tell. The same request without a stream is refused alike for
 * what the task and the session are, but not for the number of streams or the state of the node's connection.
 */
async function refusal(path: string): Promise<string> {
  try {
    const response = await fetch(path, { credentials: 'same-origin', cache: 'no-store' });
    const problem = await readProblem(response);
    if (problem.code !== 'malformed') return problem.detail;
    return 'the connection was refused or broke; perhaps the node cannot be reached, or too many streams are open';
  } catch (error) {
    return problemOf(unanswered(error)).detail;
  }
}
