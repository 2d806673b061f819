import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** A piece of the page's state that lives in the address: a reload or a shared link keeps it. Empty is left out. */
export function useUrlState(name: string, otherwise = ''): [string, (value: string) => void] {
  const [parameters, setParameters] = useSearchParams();
  const set = useCallback(
    (value: string) =>
      setParameters(
        (old) => {
          const changed = new URLSearchParams(old);
          if (value === otherwise) changed.delete(name);
          else changed.set(name, value);
          return changed;
        },
        { replace: true, preventScrollReset: true },
      ),
    [name, otherwise, setParameters],
  );
  return [parameters.get(name) ?? otherwise, set];
}
