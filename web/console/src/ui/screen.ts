import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import { getNonce } from 'get-nonce';

/** A Screen is a terminal on the page, which is as large as its box. */
export interface Screen {
  write: (bytes: Uint8Array) => void;
  focus: () => void;
  /** The size in characters. */
  size: () => { rows: number; columns: number };
  close: () => void;
}

/** Receives what is typed, and changes of the size. */
export interface Keyboard {
  type: (text: string) => void;
  resize: (size: { rows: number; columns: number }) => void;
}

/** Opens a terminal in a box. Shift and Tab leave it, because all other keys are the program's. */
export function openScreen(box: HTMLElement, label: string, to: Keyboard): Screen {
  const terminal = new Terminal({ documentOverride: marked(document), fontSize: 13, cursorBlink: false, scrollback: 5000 });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.open(box);
  terminal.textarea?.setAttribute('aria-label', label);
  terminal.attachCustomKeyEventHandler((event) => !(event.key === 'Tab' && event.shiftKey));
  terminal.onData(to.type);
  terminal.onResize(({ rows, cols }) => to.resize({ rows, columns: cols }));
  const watch = new ResizeObserver(() => fit.fit());
  watch.observe(box);
  fit.fit();
  return {
    write: (bytes) => terminal.write(bytes),
    focus: () => terminal.focus(),
    size: () => ({ rows: terminal.rows, columns: terminal.cols }),
    close: () => {
      watch.disconnect();
      terminal.dispose();
    },
  };
}

/** Returns the document, whose new style elements bear the nonce without which the page's policy ignores them. */
function marked(page: Document): Document {
  const create = (name: string) => {
    const element = page.createElement(name);
    if (name === 'style') element.setAttribute('nonce', getNonce() ?? '');
    return element;
  };
  return new Proxy(page, {
    get: (_, key) => {
      const value: unknown = Reflect.get(page, key, page);
      if (key === 'createElement') return create;
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(page) : value;
    },
  });
}
