import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef } from 'react';

const rest = 250; // milliseconds without a change

/**
 * Tells where a reader who types or drags has come to rest. The value follows what it is told when it can, and meanwhile says what was
 * told before; one that it was not told comes from elsewhere: it is to be taken, and what was not told yet never is.
 */
export function useSettled<Value>(value: Value, tell: (value: Value) => void, take: () => void, key: (value: Value) => string = String) {
  const told = useRef<string[]>([]); // and not followed yet
  const now = key(value);
  const settle = useDebouncedCallback((settled: Value) => {
    told.current = now === told.current.at(-1) ? [] : told.current;
    told.current.push(key(settled));
    tell(settled);
  }, rest);
  const latest = useRef(take);
  useEffect(() => {
    latest.current = take;
  });
  useEffect(() => {
    const followed = told.current.indexOf(now);
    told.current = told.current.slice(followed + 1);
    if (followed >= 0) return;
    told.current = [];
    settle.cancel();
    latest.current();
  }, [now, settle]);
  return settle;
}
