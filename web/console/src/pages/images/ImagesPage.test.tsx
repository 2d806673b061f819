import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { answer, Refusal } from '../../test/answers';
import { admin, problem, renderPage, roomForTables } from '../../test/render';
import { ImagesPage } from './ImagesPage';

const builtin = {
  reference: 'busybox@sha256:aa', name: 'busybox', digest: 'aa', kind: 'kernel', sizeBytes: 25165824, added: '2026-01-01T12:00:00Z', builtin: true,
};
const mine = { ...builtin, reference: 'mine@sha256:bb', name: 'mine', digest: 'bb', builtin: false, cmdline: 'quiet' };
const list = { 'GET /v1/images': { images: [builtin, mine], maxBytes: 1 << 20 } };

/** The browser's request for uploads, answered by the test. */
class Request {
  static last: Request;
  upload: { onprogress?: (event: { loaded: number }) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  status = 0;
  statusText = '';
  responseText = '';
  address = '';
  headers: Record<string, string> = {};
  body?: Blob;
  constructor() {
    Request.last = this;
  }
  open(_: string, address: string) {
    this.address = address;
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  getResponseHeader() {
    return this.status < 300 ? 'application/json' : 'application/problem+json';
  }
  send(body: Blob) {
    this.body = body;
  }
  abort() {
    this.onabort?.();
  }
  answer(status: number, content: unknown) {
    this.status = status;
    this.responseText = JSON.stringify(content);
    this.onload?.();
  }
}

async function fill(name: string, size = 1000) {
  vi.stubGlobal('XMLHttpRequest', Request);
  renderPage(<ImagesPage />, { at: '/images' });
  await userEvent.click(await screen.findByRole('button', { name: 'Push an image' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Push an image' }));
  fireEvent.change(dialog.getByRole('textbox', { name: 'Name' }), { target: { value: name } });
  const inputs = document.querySelectorAll<HTMLInputElement>('input[type="file"]');
  for (const input of inputs) await userEvent.upload(input, new File(['x'.repeat(size)], 'file'));
  return dialog;
}

test('images are listed, and only pushed ones can be removed', async () => {
  const asked = answer({ ...list, 'DELETE /v1/images/bb': { revision: 9 } });
  renderPage(<ImagesPage />, { at: '/images' });
  expect(await screen.findByText('busybox@sha256:aa')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Remove busybox@sha256:aa' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Remove mine@sha256:bb' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Remove it' }));
  expect(await screen.findByText('The image mine is removed')).toBeVisible();
  expect(asked.some((it) => it.method === 'DELETE')).toBe(true);
});

test('the size of a disk is told beside what it takes', async () => {
  answer({ 'GET /v1/images': { images: [{ ...mine, kind: 'disk', cmdline: undefined, diskBytes: 2 ** 31 }, builtin], maxBytes: 1 } });
  renderPage(<ImagesPage />, { at: '/images' });
  const [disk, kernel] = [await screen.findByRole('row', { name: /mine@sha256:bb/ }), screen.getByRole('row', { name: /busybox/ })];
  expect(within(disk).getByText('2 GiB')).toBeVisible();
  expect(within(kernel).queryByText('0 B')).toBeNull();
});

test('all that is told of an image is in sight in a window of 1280 pixels', async () => {
  answer(list);
  renderPage(<ImagesPage />, { at: '/images' });
  const table = await screen.findByRole('table', { name: 'Images' });
  expect(parseInt(table.style.minWidth)).toBeLessThanOrEqual(roomForTables);
  expect(within(table).getByText('quiet')).toBeVisible();
});

test('an image that jobs use stays, and why is said', async () => {
  answer({ ...list, 'DELETE /v1/images/bb': new Refusal(problem(409, 'image_in_use', '2 jobs use the image')) });
  renderPage(<ImagesPage />, { at: '/images' });
  await userEvent.click(await screen.findByRole('button', { name: 'Remove mine@sha256:bb' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Remove it' }));
  expect(await screen.findByText(/2 jobs use the image/)).toBeVisible();
});

test('who may not push is not offered to', async () => {
  answer(list);
  renderPage(<ImagesPage />, { at: '/images', session: { ...admin, role: 'user' } });
  await screen.findByText('mine@sha256:bb');
  expect(screen.queryByRole('button', { name: 'Push an image' })).toBeNull();
  expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull();
});

test('a push tells how far it has come, and then the digest', async () => {
  answer(list);
  const dialog = await fill('mine');
  await userEvent.click(dialog.getByRole('button', { name: /^Push / }));
  await waitFor(() => expect(Request.last?.body).toBeDefined());
  const request = Request.last;
  expect([request.address, request.headers]).toEqual(['/v1/images?name=mine', { 'Content-Type': 'application/x-tar', 'Aliquot-Console': '1' }]);
  request.upload.onprogress!({ loaded: request.body!.size / 2 });
  expect(await dialog.findByText('2 KiB of 4 KiB are sent.')).toBeVisible();
  request.upload.onprogress!({ loaded: request.body!.size });
  expect(await dialog.findByText(/Everything is sent/)).toBeVisible();
  request.answer(201, mine);
  expect(await dialog.findByText('The image mine is pushed')).toBeVisible();
  expect(dialog.getByText('mine@sha256:bb')).toBeVisible();
});

test('a refused push says why, and can be sent again', async () => {
  answer(list);
  const dialog = await fill('mine');
  await userEvent.click(dialog.getByRole('button', { name: /^Push / }));
  await waitFor(() => expect(Request.last?.body).toBeDefined());
  Request.last.answer(413, problem(413, 'too_large', 'an image may have 4294967296 bytes'));
  expect(await dialog.findByText('An image may have 4294967296 bytes.')).toBeVisible();
  expect(dialog.getByRole('button', { name: /^Push / })).toBeEnabled();
});

test('a push is broken off', async () => {
  answer(list);
  const dialog = await fill('mine');
  await userEvent.click(dialog.getByRole('button', { name: /^Push / }));
  await userEvent.click(await dialog.findByRole('button', { name: 'Abort' }));
  expect(await dialog.findByText('The upload was aborted; nothing was kept.')).toBeVisible();
});

test('what is too large, or named wrongly, is not sent', async () => {
  answer(list);
  const dialog = await fill('Mine!', 1 << 20);
  expect(await dialog.findByText(/Lower-case letters and digits/)).toBeVisible();
  expect(dialog.getByText(/an image may have 1 MiB/)).toBeVisible();
  expect(dialog.getByRole('button', { name: /^Push/ })).toBeDisabled();
});
