import { expect, test, vi } from 'vitest';
import { api, content } from './client';

/** Lets the test end the time limit of an answer. */
function impatience() {
  const control = new AbortController();
  const bound = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(control.signal);
  return { bound, end: () => control.abort(new DOMException('signal timed out', 'TimeoutError')) };
}

test('a request that is never answered ends, later than the manager may take', async () => {
  const { bound, end } = impatience();
  vi.stubGlobal('fetch', (_: Request, { signal }: RequestInit) => new Promise((_done, reject) => signal!.addEventListener('abort', () => reject(signal!.reason as Error))));
  const asked = content(api.GET('/v1/policy'));
  await vi.waitFor(() => expect(bound).toHaveBeenCalledWith(35_000));
  end();
  await expect(asked).rejects.toMatchObject({ problem: { code: 'unreachable' } });
});

test('an answer that stops in its middle ends, too', async () => {
  const { end } = impatience();
  vi.stubGlobal('fetch', (_: Request, { signal }: RequestInit) =>
    Promise.resolve(new Response(new ReadableStream({
      start: (to) => {
        to.enqueue(new TextEncoder().encode('{"name": '));
        signal!.addEventListener('abort', () => to.error(signal!.reason));
      },
    }))));
  const asked = content(api.GET('/v1/policy'));
  setTimeout(end, 10);
  await expect(asked).rejects.toMatchObject({ problem: { code: 'unreachable' } });
});
