import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, expect } from 'vitest';
import { refused } from './answers';

afterEach(() => {
  cleanup();
  expect(refused.splice(0)).toEqual([]);
});
configure({ asyncUtilTimeout: 10_000 }); // a machine that is busy with other work is slow

// Browser functions that jsdom lacks.
window.matchMedia ??= (query) =>
  ({
    matches: false,
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
  }) as unknown as MediaQueryList;
window.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
Element.prototype.scrollIntoView = () => undefined;
Element.prototype.scrollTo = () => undefined;
window.scrollTo = () => undefined;
// The virtualiser renders as many rows as fit into the element, and in jsdom elements have no size.
for (const [name, value] of [['offsetHeight', 600], ['offsetWidth', 1000], ['clientHeight', 600]] as const) {
  Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => value });
}
Object.defineProperty(document, 'fonts', { configurable: true, value: new EventTarget() });
