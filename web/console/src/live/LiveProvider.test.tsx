import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { policyQuery } from '../api/policy';
import { answer, type Asked } from '../test/answers';
import { LiveProvider, useConnection } from './LiveProvider';

let hidden = false;
let asked: Asked[];
const hello = 'id: 7.0\nevent: hello\ndata: {"replica":2,"revision":7}\n\n';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden);
  const begun = (to: ReadableStreamDefaultController) => to.enqueue(new TextEncoder().encode(hello));
  asked = answer({ 'GET /v1/events': () => new Response(new ReadableStream({ start: begun })) });
});

afterEach(() => void vi.useRealTimers());

const State = () => <p>{useConnection().state}</p>;

function page(content: ReactNode = null) {
  return render(
    <QueryClientProvider client={new QueryClient()}>
      <LiveProvider>
        <State />
        {content}
      </LiveProvider>
    </QueryClientProvider>,
  );
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test('a tab that is opened in the background rests after half a minute, until somebody looks', async () => {
  hidden = true;
  const { container } = page();
  await pass(1000);
  expect(container).toHaveTextContent('live');
  await pass(30_000);
  expect(container).toHaveTextContent('resting');
  hidden = false;
  document.dispatchEvent(new Event('visibilitychange'));
  await pass(1000);
  expect(container).toHaveTextContent('live');
  expect(asked).toHaveLength(2);
});

test('what was asked over a connection that broke is asked again over the next one', async () => {
  hidden = false;
  const streams: ReadableStreamDefaultController[] = [];
  const policies = [new Response(new ReadableStream()), { name: 'EASY' }];
  answer({
    'GET /v1/events': () =>
      new Response(
        new ReadableStream({
          start: (to) => {
            streams.push(to);
            to.enqueue(new TextEncoder().encode(hello));
          },
        }),
      ),
    'GET /v1/policy': () => policies.shift(),
  });
  const Policy = () => <p>{useQuery(policyQuery).data?.name ?? 'none'}</p>;
  const { container } = page(<Policy />);
  await pass(1000);
  expect(container).toHaveTextContent('none');
  streams[0]!.error(new TypeError('network error'));
  await pass(2000);
  expect(container).toHaveTextContent('EASY');
});

test('a tab that is looked at stays connected', async () => {
  hidden = false;
  const { container } = page();
  await pass(35_000);
  expect(container).toHaveTextContent('live');
  expect(asked).toHaveLength(1);
});
