import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Typed } from './Typed';

/** Changes the value to the typed one when a button is pressed, just as an address may change long after typing. */
function Late({ heard, values }: { heard: string[]; values: string[] }) {
  const [value, setValue] = useState('');
  return (
    <>
      <Typed label="Find" value={value} onType={(typed) => heard.push(typed)} />
      {values.map((it) => (
        <button key={it} onClick={() => setValue(it)}>
          {it}
        </button>
      ))}
    </>
  );
}

function show(...values: string[]) {
  const heard: string[] = [];
  render(
    <MantineProvider env="test">
      <Late heard={heard} values={values} />
    </MantineProvider>,
  );
  return { heard, find: screen.getByLabelText('Find'), follow: (value: string) => userEvent.click(screen.getByText(value)) };
}

test('what is typed stays while the value follows late, and is told of when the reader stops', async () => {
  const { heard, find, follow } = show('n1', 'elsewhere');
  await userEvent.type(find, 'n1');
  await expect.poll(() => heard).toEqual(['n1']);
  await userEvent.type(find, '2');
  await follow('n1');
  expect(find).toHaveValue('n12');
  await expect.poll(() => heard).toEqual(['n1', 'n12']);
  await follow('elsewhere');
  expect(find).toHaveValue('elsewhere');
});

test('a value that is two words behind takes nothing back', async () => {
  const { heard, find, follow } = show('n1', 'n12');
  await userEvent.type(find, 'n1');
  await expect.poll(() => heard).toEqual(['n1']);
  await userEvent.type(find, '2');
  await expect.poll(() => heard).toEqual(['n1', 'n12']);
  await follow('n1');
  expect(find).toHaveValue('n12');
  await userEvent.type(find, '3');
  await follow('n12');
  expect(find).toHaveValue('n123');
});

test('what is not told yet when the value is changed elsewhere is never told', async () => {
  const { heard, find, follow } = show('elsewhere');
  await userEvent.type(find, 'n1');
  await follow('elsewhere');
  expect(find).toHaveValue('elsewhere');
  await userEvent.type(find, '!');
  await expect.poll(() => heard).toEqual(['elsewhere!']);
});
