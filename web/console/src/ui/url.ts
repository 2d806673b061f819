import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate, type Location } from 'react-router';

/** What is being written over a location that is still shown; what comes next changes this. */
const written = new WeakMap<Location, URLSearchParams>();

/**
 * The parameters of the address, and how to change them. Changes add up even if the page, which follows the address when it has
 * the time, shows none of them yet.
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

/** Writes a parameter; one that is empty is left out. */
export function put(parameters: URLSearchParams, name: string, value: string) {
  if (value) parameters.set(name, value);
  else parameters.delete(name);
}

const nothing: string[] = [];

/**
 * A piece of the page's state that lives in the address: a reload or a shared link keeps it. What is so otherwise is left out. What
 * is told of this value alone goes when another is chosen.
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
