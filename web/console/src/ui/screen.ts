import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import { getNonce } from 'get-nonce';

/** A Screen is a terminal on the page, which is as large as its box. */
export interface Screen {
  /** Writes, and calls back once it is shown. */
  write: (bytes: Uint8Array, shown: () => void) => void;
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
  const terminal = new Terminal({ fontSize: 13, cursorBlink: false, scrollback: 5000 });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  openMarked(terminal, box);
  terminal.textarea?.setAttribute('aria-label', label);
  terminal.attachCustomKeyEventHandler((event) => !(event.key === 'Tab' && event.shiftKey));
  terminal.onData(to.type);
  terminal.onResize(({ rows, cols }) => to.resize({ rows, columns: cols }));
  const watch = new ResizeObserver(() => fit.fit());
  watch.observe(box);
  fit.fit();
  return {
    write: (bytes, shown) => terminal.write(bytes, shown),
    focus: () => terminal.focus(),
    size: () => ({ rows: terminal.rows, columns: terminal.cols }),
    close: () => {
      watch.disconnect();
      terminal.dispose();
    },
  };
}

/**
 * Opens the terminal while all new style elements bear the nonce without which the page's policy ignores them. The
 * terminal makes its own then, and has no option for a nonce.
 */
function openMarked(terminal: Terminal, box: HTMLElement) {
  const create = document.createElement.bind(document);
  document.createElement = ((name: string) => {
    const element = create(name);
    if (name === 'style') element.setAttribute('nonce', getNonce() ?? '');
    return element;
  }) as typeof document.createElement;
  try {
    terminal.open(box);
  } finally {
    Reflect.deleteProperty(document, 'createElement');
  }
}
