import { Button, Loader } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useMay } from '../../api/session';
import { tokensQuery } from '../../api/tokens';
import { EmptyState } from '../../ui/EmptyState';
import { Icon } from '../../ui/Icon';
import { Page } from '../../ui/Page';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { SessionsPanel } from '../../ui/SessionsPanel';
import { useSort } from '../../ui/sort';
import { UrlTabs } from '../../ui/UrlTabs';
import { VirtualTable } from '../../ui/VirtualTable';
import { tokenColumns } from './columns';
import { NewTokenDialog } from './NewTokenDialog';

/** TokensPage lists, creates and revokes tokens, and lists and ends sessions. */
export function TokensPage() {
  const admin = useMay('admin');
  const [opened, { open, close }] = useDisclosure();
  return (
    <Page
      title="Tokens"
      actions={
        admin && (
          <Button leftSection={<Icon name="plus" />} onClick={open}>
            Create a token
          </Button>
        )
      }
    >
      {!admin && <EmptyState title="Tokens need the role admin">Ask an admin for a token.</EmptyState>}
      {admin && (
        <UrlTabs
          label="Tokens and sessions"
          tabs={[
            { id: 'tokens', label: 'Tokens', content: <TokenTable /> },
            { id: 'sessions', label: 'Sessions', content: <SessionsPanel title="Sessions in use" /> },
          ]}
        />
      )}
      <NewTokenDialog opened={opened} close={close} />
    </Page>
  );
}

function TokenTable() {
  const tokens = useQuery(tokensQuery);
  const [sort, setSort] = useSort(tokenColumns);
  const rows = useMemo(() => tokens.data?.tokens ?? [], [tokens.data]);
  return (
    <>
      {tokens.error && <ProblemAlert error={tokens.error} retry={() => void tokens.refetch()} />}
      {tokens.isPending && !tokens.error && <Loader aria-label="Loading the tokens" />}
      {rows.length > 0 && <VirtualTable label="Tokens" columns={tokenColumns} rows={rows} rowKey={(token) => token.id} sort={sort} onSort={setSort} />}
    </>
  );
}
