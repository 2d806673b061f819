import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, Outlet } from 'react-router';
import { expect, test } from 'vitest';
import { renderPage } from '../test/render';
import { Page } from '../ui/Page';
import { useUrlState } from '../ui/url';
import { useArrival } from './arrival';

function Frame() {
  useArrival();
  return (
    <>
      <Link to="/b">To B</Link>
      <main id="content">
        <Outlet />
      </main>
    </>
  );
}

function First() {
  const [, set] = useUrlState('tab');
  return (
    <Page title="A">
      <button onClick={() => set('other')}>Other tab</button>
    </Page>
  );
}

const pages = [{ element: <Frame />, children: [{ path: '/a', element: <First /> }, { path: '/b', element: <Page title="B">b</Page> }] }];

test('the focus goes to the title of a new page, and stays where it is while the page stays', async () => {
  renderPage(null, { at: '/a', pattern: '/none', routes: pages });
  expect(document.body).toHaveFocus();
  await userEvent.click(screen.getByRole('button', { name: 'Other tab' }));
  expect(screen.getByRole('button', { name: 'Other tab' })).toHaveFocus();
  await userEvent.click(screen.getByRole('link', { name: 'To B' }));
  expect(screen.getByRole('heading', { level: 1, name: 'B' })).toHaveFocus();
});
