import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Typed } from './Typed';

/** Follows what is typed when its button is pressed, as an address may long after. */
function Late({ heard }: { heard: string[] }) {
  const [value, setValue] = useState('');
  return (
    <>
      <Typed label="Find" value={value} onType={(typed) => heard.push(typed)} />
      <button onClick={() => setValue(heard.at(-1)!)}>follow</button>
      <button onClick={() => setValue('elsewhere')}>change</button>
    </>
  );
}

test('what is typed stays while the value follows late, and is told of when the reader stops', async () => {
  const heard: string[] = [];
  render(
    <MantineProvider env="test">
      <Late heard={heard} />
    </MantineProvider>,
  );
  const find = screen.getByLabelText('Find');
  await userEvent.type(find, 'n1');
  await expect.poll(() => heard).toEqual(['n1']);
  await userEvent.type(find, '2');
  await userEvent.click(screen.getByText('follow'));
  expect(find).toHaveValue('n12');
  await expect.poll(() => heard).toEqual(['n1', 'n12']);
  await userEvent.click(screen.getByText('change'));
  expect(find).toHaveValue('elsewhere');
});
