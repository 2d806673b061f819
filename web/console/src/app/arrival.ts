import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** Lets the keyboard and screen readers begin at the title after the page has changed; the first page is begun by the browser. */
export function useArrival() {
  const { pathname } = useLocation();
  const here = useRef(pathname);
  useEffect(() => {
    if (here.current === pathname) return;
    here.current = pathname;
    document.querySelector<HTMLElement>('#content h1')?.focus();
  }, [pathname]);
}
