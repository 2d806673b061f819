import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { renderPage } from '../../test/render';
import type { Files } from './files';
import { InputFiles } from './InputFiles';

function Form() {
  const [files, change] = useState<Files>({ 'old.txt': 'old' });
  return <InputFiles files={files} change={change} fault={undefined} />;
}

/** Returns a file that is being read until end is called. */
function slow(name: string) {
  let end = () => undefined as void;
  const file = new File(['x'], name);
  file.arrayBuffer = () => new Promise((resolve) => (end = () => resolve(new TextEncoder().encode(name).buffer)));
  return { file, end: () => end() };
}

test('files chosen and removed while others are being read are neither lost nor back', async () => {
  renderPage(<Form />);
  const [a, b] = [slow('a.txt'), slow('b.txt')];
  const chooser = document.querySelector<HTMLInputElement>('input[type="file"]')!;
  await userEvent.upload(chooser, a.file);
  await userEvent.upload(chooser, b.file);
  await userEvent.click(screen.getByRole('button', { name: 'Remove old.txt' }));
  await act(async () => {
    b.end();
    a.end();
    await Promise.resolve();
  });
  expect(await screen.findByText('a.txt, 5 B')).toBeVisible();
  expect(screen.getByText('b.txt, 5 B')).toBeVisible();
  expect(screen.queryByText(/old.txt/)).toBeNull();
});
