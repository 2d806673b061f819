import { useCallback, useEffect, useRef } from 'react';

/** Returns a function that runs at once, and then at most once per interval. The last call is never lost. */
export function useThrottled(run: () => void, every: number): () => void {
  const latest = useRef(run);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const wanted = useRef(false);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    const fire = () => {
      timer.current = undefined;
      if (!wanted.current) return;
      wanted.current = false;
      timer.current = setTimeout(fire, every);
      latest.current();
    };
    wanted.current = true;
    if (timer.current === undefined) fire();
  }, [every]);
}
