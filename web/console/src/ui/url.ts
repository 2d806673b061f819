import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate, type Location } from 'react-router';

/** Parameters that were written while the page still shows an older location. Further changes start from them. */
const written = new WeakMap<Location, URLSearchParams>();

/**
 * Returns the parameters of the address, and a function that changes them. Successive changes add up even before the
 * page shows them.
 */
export function useParameters(): [URLSearchParams, (change: (parameters: URLSearchParams) => void) => void] {
  const location = useLocation();
  const navigate = useNavigate();
  const parameters = useMemo(() => new URLSearchParams(location.search), [location.search]);
  const change = useCallback(
    (make: (parameters: URLSearchParams) => void) => {
      const changed = new URLSearchParams(written.get(location) ?? location.search);
      make(changed);
      written.set(location, changed);
      void navigate(`?${changed}`, { replace: true, preventScrollReset: true });
    },
    [location, navigate],
  );
  return [parameters, change];
}

/** Sets a parameter; an empty value removes it. */
export function put(parameters: URLSearchParams, name: string, value: string) {
  if (value) parameters.set(name, value);
  else parameters.delete(name);
}

const nothing: string[] = [];

/**
 * A state of the page that is kept in the address, so a reload or a shared link keeps it. The default is omitted. The
 * parameters in toldOfIt concern only the present value, so a change removes them.
 */
export function useUrlState(name: string, otherwise = '', toldOfIt = nothing): [string, (value: string) => void] {
  const [parameters, change] = useParameters();
  const set = useCallback(
    (value: string) =>
      change((changed) => {
        if (value !== (changed.get(name) ?? otherwise)) for (const other of toldOfIt) changed.delete(other);
        if (value === otherwise) changed.delete(name);
        else changed.set(name, value);
      }),
    [name, otherwise, toldOfIt, change],
  );
  return [parameters.get(name) ?? otherwise, set];
}
