import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderPage } from '../test/render';
import { useUrlState } from './url';

function Page() {
  const [job, setJob] = useUrlState('job');
  const [rows, setRows] = useUrlState('rows', 'nodes');
  return (
    <button
      onClick={() => {
        setJob('j17');
        setRows('jobs');
      }}
    >
      {job} by {rows}
    </button>
  );
}

test('changes add up although the page shows none of them yet', async () => {
  const { router } = renderPage(<Page />, { at: '/timeline?view=table' });
  await act(async () => screen.getByRole('button').click());
  expect(screen.getByRole('button')).toHaveTextContent('j17 by jobs');
  expect(router.state.location.search).toBe('?view=table&job=j17&rows=jobs');
  await act(() => router.navigate('/timeline'));
  await act(async () => screen.getByRole('button').click());
  expect(router.state.location.search).toBe('?job=j17&rows=jobs');
});
