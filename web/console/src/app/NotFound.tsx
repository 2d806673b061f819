import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { EmptyState } from '../ui/EmptyState';
import { Page } from '../ui/Page';

/** NotFound is shown for addresses without a page. */
export function NotFound() {
  return (
    <Page title="No such page">
      <EmptyState title="No page has this address">
        <Anchor component={Link} to="/">
          Go to the overview
        </Anchor>
      </EmptyState>
    </Page>
  );
}
