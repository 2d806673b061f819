import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

const nothing: string[] = [];

/**
 * A piece of the page's state that lives in the address: a reload or a shared link keeps it. Empty is left out. What is told of
 * this value alone goes when another is chosen.
 */
export function useUrlState(name: string, otherwise = '', toldOfIt = nothing): [string, (value: string) => void] {
  const [parameters, setParameters] = useSearchParams();
  const set = useCallback(
    (value: string) =>
      setParameters(
        (old) => {
          const changed = new URLSearchParams(old);
          if (value !== (old.get(name) ?? otherwise)) for (const other of toldOfIt) changed.delete(other);
          if (value === otherwise) changed.delete(name);
          else changed.set(name, value);
          return changed;
        },
        { replace: true, preventScrollReset: true },
      ),
    [name, otherwise, toldOfIt, setParameters],
  );
  return [parameters.get(name) ?? otherwise, set];
}
