import { useSyncExternalStore } from 'react';
import { useConnection } from './LiveProvider';

function watch(callback: () => void) {
  document.addEventListener('visibilitychange', callback);
  return () => document.removeEventListener('visibilitychange', callback);
}

/** Reports whether following is pointless: the tab is hidden, or the manager does not answer. */
export function useAway(): boolean {
  const hidden = useSyncExternalStore(watch, () => document.hidden);
  return useConnection().state === 'lost' || hidden;
}
