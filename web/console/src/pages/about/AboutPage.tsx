import { Anchor, Grid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { overviewQuery } from '../../api/overview';
import { useSession } from '../../api/session';
import { healthQuery, versionQuery } from '../../api/system';
import { useConnection } from '../../live/LiveProvider';
import { Facts } from '../../ui/Facts';
import { Moment } from '../../ui/Moment';
import { Page } from '../../ui/Page';
import { Panel } from '../../ui/Panel';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { SessionsPanel } from '../../ui/SessionsPanel';
import { ManagersPanel } from './ManagersPanel';

/** AboutPage shows the managers and their health, the versions of console and manager, and the sessions of the token. */
export function AboutPage() {
  const version = useQuery(versionQuery);
  const health = useQuery(healthQuery);
  const overview = useQuery(overviewQuery);
  const connection = useConnection();
  const session = useSession();
  return (
    <Page title="About">
      {health.error && <ProblemAlert error={health.error} title="This manager cannot serve requests" retry={() => void health.refetch()} />}
      <Grid>
        <Grid.Col span={12}>
          <ManagersPanel />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Panel title="The answering manager">
            <Facts
              facts={[
                { name: 'Health', value: health.data ? (health.data.problem ?? 'ok') : '–' },
                { name: 'Replica', value: health.data?.replica ?? '–' },
                { name: 'Events', value: connection.state === 'live' ? `live, from replica ${connection.replica}` : connection.state },
                { name: 'Its time', value: <Moment at={overview.data?.at} full /> },
              ]}
            />
          </Panel>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Panel title="Versions">
            {version.error && <ProblemAlert error={version.error} retry={() => void version.refetch()} />}
            <Facts
              facts={[
                { name: 'Aliquot', value: version.data?.version ?? '–' },
                { name: 'API', value: version.data?.api ?? '–' },
                { name: 'Built with', value: version.data?.go ?? '–' },
              ]}
            />
          </Panel>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Panel title="Your session">
            <Facts
              facts={[
                { name: 'Name', value: session.actor },
                { name: 'Role', value: session.role },
                { name: 'Owner and project of your jobs', value: `${session.owner}, ${session.project}` },
                { name: 'Based on the token', value: session.tokenName },
                { name: 'Ends', value: session.expires ? <Moment at={session.expires} /> : 'never' },
              ]}
            />
          </Panel>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Panel title="More">
            <Text size="sm">
              This console does everything through REST: <Anchor href="/v1/docs" size="sm">documentation</Anchor>,{' '}
              <Anchor href="/v1/openapi.json" size="sm">as OpenAPI</Anchor>.
            </Text>
          </Panel>
        </Grid.Col>
        <Grid.Col span={12}>
          <SessionsPanel title="Sessions of your token" token={session.token} />
        </Grid.Col>
      </Grid>
    </Page>
  );
}
