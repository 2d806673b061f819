import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef } from 'react';

const rest = 250; // milliseconds without a change

/**
 * Returns a function that reports a reader's input, by typing or dragging, once it rests. The value follows the
 * reports, perhaps late; until then it is the one before. A value that was never reported comes from elsewhere: take is
 * called, and input that is not reported yet is dropped.
 */
export function useSettled<Value>(value: Value, tell: (value: Value) => void, take: () => void, key: (value: Value) => string = String) {
  const told = useRef<string[]>([]); // reported values that the value has not followed yet
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
