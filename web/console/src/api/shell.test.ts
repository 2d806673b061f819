import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answer, Refusal } from '../test/answers';
import { problem } from '../test/render';
import { openShell, type Outcome } from './shell';

/** A socket that notes what is sent, and is told what comes. */
class Socket {
  static readonly OPEN = 1;
  static last: Socket;
  readyState = 0;
  sent: number[][] = [];
  onopen = () => undefined as void;
  onmessage = (_: { data: ArrayBuffer }) => undefined as void;
  onclose = () => undefined as void;
  constructor(readonly url: URL) {
    Socket.last = this;
  }
  send(frame: Uint8Array) {
    this.sent.push([...frame]);
  }
  close() {
    this.readyState = 3;
  }
  opens() {
    this.readyState = 1;
    this.onopen();
  }
  brings(kind: number, text: string) {
    this.onmessage({ data: new Uint8Array([kind, ...new TextEncoder().encode(text)]).buffer });
  }
}

beforeEach(() => vi.stubGlobal('WebSocket', Socket));
afterEach(() => vi.unstubAllGlobals());

const text = (frame: number[]) => new TextDecoder().decode(new Uint8Array(frame.slice(1)));

function opened() {
  const told: string[] = [];
  const shell = openShell({ job: 'j1', task: 2, words: ['sh'], size: { rows: 24, columns: 80 } }, {
    begins: () => told.push('begins'),
    writes: (bytes) => told.push(new TextDecoder().decode(bytes)),
    ends: (outcome: Outcome) => told.push(JSON.stringify(outcome)),
  });
  return { shell, told, socket: Socket.last };
}

test('a command is asked for, typed to, and heard to its end', () => {
  const { shell, told, socket } = opened();
  expect(socket.url.pathname).toBe('/v1/jobs/j1/tasks/2/exec');
  expect(socket.url.protocol).toBe('ws:');
  shell.type('too early');
  socket.opens();
  shell.type('ls\n');
  shell.resize({ rows: 10, columns: 40 });
  expect(socket.sent.map((frame) => frame[0])).toEqual([1, 3, 7]);
  expect(JSON.parse(text(socket.sent[0]!))).toEqual({ command: ['sh'], terminal: { rows: 24, columns: 80 } });
  expect(text(socket.sent[1]!)).toBe('ls\n');
  expect(JSON.parse(text(socket.sent[2]!))).toEqual({ rows: 10, columns: 40 });
  socket.brings(2, '');
  socket.brings(3, 'a file');
  socket.brings(6, '{"code":3}');
  socket.onclose();
  expect(told).toEqual(['begins', 'a file', '{"code":3}']);
});

test('what is pasted is sent in frames of 16 KiB at most', () => {
  const { shell, socket } = opened();
  socket.opens();
  shell.type('x'.repeat(40_000));
  const pieces = socket.sent.slice(1);
  expect(pieces.every((frame) => frame.length <= 16 << 10)).toBe(true);
  expect(pieces.map(text).join('')).toBe('x'.repeat(40_000));
});

test('a refusal is told in the words of the API', async () => {
  answer({ 'GET /v1/jobs/j1/tasks/2/exec': new Refusal(problem(409, 'conflict', 'task 2 of j1 is paused')) });
  const { told, socket } = opened();
  socket.onclose();
  await vi.waitFor(() => expect(told).toEqual(['{"error":"task 2 of j1 is paused"}']));
});

test('a command whose manager stops is told to be killed', () => {
  const { told, socket } = opened();
  socket.opens();
  socket.brings(2, '');
  socket.onclose();
  expect(told).toEqual(['begins', '{"error":"the connection to the manager ended, and the command is killed with it"}']);
});

test.each(['null', '{"error":["x"]}', '{"code":"3"}', 'no JSON'])('a guest that ends with %s breaks nothing', (sent) => {
  const { told, socket } = opened();
  socket.opens();
  socket.onmessage({ data: new ArrayBuffer(0) });
  socket.brings(6, sent);
  expect(told).toHaveLength(1);
});

test('nothing is told once it was closed', () => {
  const { shell, told, socket } = opened();
  socket.opens();
  shell.close();
  socket.brings(3, 'late');
  socket.onclose();
  expect(told).toEqual([]);
});
