import { useSyncExternalStore } from 'react';
import { useConnection } from './LiveProvider';

function watch(callback: () => void) {
  document.addEventListener('visibilitychange', callback);
  return () => document.removeEventListener('visibilitychange', callback);
}

/** Tells whether following anything is in vain: nobody looks at the tab, or the manager does not answer. */
export function useAway(): boolean {
  const hidden = useSyncExternalStore(watch, () => document.hidden);
  return useConnection().state === 'lost' || hidden;
}
