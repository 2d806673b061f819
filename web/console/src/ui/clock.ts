import { useSyncExternalStore } from 'react';

const every = 5_000; // milliseconds
const listeners = new Set<() => void>();
let timer: number | undefined;

/**
 * Returns a value that depends on the time. Components that use it are rendered again within five seconds of its
 * change.
 */
export function useClock<T>(read: () => T): T {
  return useSyncExternalStore(listen, read);
}

function listen(listener: () => void) {
  listeners.add(listener);
  timer ??= window.setInterval(() => listeners.forEach((each) => each()), every);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.clearInterval(timer);
    timer = undefined;
  };
}
