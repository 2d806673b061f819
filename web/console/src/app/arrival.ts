import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** Moves the keyboard and screen readers to the title after a change of page. On the first page the browser does so. */
export function useArrival() {
  const { pathname } = useLocation();
  const here = useRef(pathname);
  useEffect(() => {
    if (here.current === pathname) return;
    here.current = pathname;
    document.querySelector<HTMLElement>('#content h1')?.focus();
  }, [pathname]);
}
