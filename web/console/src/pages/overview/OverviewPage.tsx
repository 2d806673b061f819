import { Anchor, Grid, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { overviewQuery, type Overview } from '../../api/overview';
import { Meter } from '../../ui/Meter';
import { Moment } from '../../ui/Moment';
import { Page } from '../../ui/Page';
import { Panel } from '../../ui/Panel';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { StateCounts } from '../../ui/StateCounts';
import { bytes, cpu, plural } from '../../wording/amounts';
import { SubmitLink } from '../jobs/SubmitLink';
import { backgroundUse, isLost, nodesInWords } from '../nodes/standing';
import { AttentionList } from './AttentionList';
import { FirstSteps } from './FirstSteps';
import { MovesUnderWay } from './MovesUnderWay';
import { OverTime } from './OverTime';
import { RecentChanges } from './RecentChanges';
import { YieldPanel } from './YieldPanel';

/** OverviewPage shows the state of the cluster, the moves in progress, and the issues that need attention. */
export function OverviewPage() {
  const overview = useQuery(overviewQuery);
  return (
    <Page title="Overview" actions={<SubmitLink />}>
      {overview.data ? (
        <OverviewView overview={overview.data} />
      ) : overview.error ? (
        <ProblemAlert error={overview.error} retry={() => void overview.refetch()} />
      ) : (
        <Loader aria-label="Loading the overview" />
      )}
    </Page>
  );
}

/** Says where the jobs of other classes than standard are, and what they may use. */
function backgroundInWords(jobs: NonNullable<Overview['background']>, cores: Overview['cpu']): string {
  const sentences = [
    jobs.background > 0 && `${plural(jobs.background, 'job')} in the background may use ${backgroundUse(cores)}.`,
    jobs.foreground > 0 && `${plural(jobs.foreground, 'job')} of class either in the foreground.`,
    jobs.without > 0 && `${plural(jobs.without, 'job')} of class background or either without a place.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

function OverviewView({ overview }: { overview: Overview }) {
  const { cpu: cores, memory } = overview;
  const amounts = Object.entries(overview.nodes);
  const all = amounts.reduce((sum, [, amount]) => sum + amount, 0);
  const lost = amounts.reduce((sum, [state, amount]) => sum + (isLost(state) ? amount : 0), 0);
  return (
    <>
      <AttentionList items={overview.attention} more={overview.attentionMore} />
      <FirstSteps overview={overview} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <YieldPanel overview={overview} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Panel title="Demand and capacity">
            <Stack gap="md">
              <Meter
                name="CPU"
                whole={cores.capacityMillicores}
                words={cpu}
                parts={[
                  { name: 'needed', value: cores.needMillicores + cores.waitingMillicores },
                  { name: 'granted', value: cores.guaranteedMillicores },
                  ...(cores.usedMillicores === undefined ? [] : [{ name: 'used', value: cores.usedMillicores }]),
                ]}
              />
              {overview.background && <Text size="sm">{backgroundInWords(overview.background, cores)}</Text>}
              <Meter
                name="Memory"
                whole={memory.capacityBytes}
                words={bytes}
                parts={[
                  { name: 'wanted', value: memory.reservedBytes + memory.lostBytes + memory.waitingBytes },
                  { name: 'charged', value: memory.reservedBytes },
                ]}
              />
              {lost > 0 && (
                <Text size="sm">
                  Capacity: {nodesInWords(all, lost)}
                  {cores.lostMillicores + memory.lostBytes > 0 && `, nor ${cpu(cores.lostMillicores)} granted and ${bytes(memory.lostBytes)} charged there`}.
                </Text>
              )}
              {overview.storeFreeBytes !== undefined && (
                <Text size="sm">The store of saved images has {bytes(overview.storeFreeBytes)} left.</Text>
              )}
            </Stack>
          </Panel>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Panel title="Jobs">
            <StateCounts counts={overview.jobs} to={(state) => `/jobs?states=${state}`} none="No job has been submitted yet." />
          </Panel>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Panel title="Nodes">
            <StateCounts counts={overview.nodes} to={(state) => `/nodes?view=table&search=${state}`} none="No node has joined yet." />
          </Panel>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <MovesUnderWay overview={overview} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Panel title="Policy">
            <Text size="sm" className="wrap-anywhere">
              <Anchor component={Link} to="/policy" size="sm">
                {overview.policy.name}
              </Anchor>
              {overview.nextDecision && `, every ${overview.policy.period}`}
            </Text>
            <Text size="sm" mt={4}>
              {overview.nextDecision ? (
                <>
                  The next periodic decision is due at <Moment at={overview.nextDecision} />; <Anchor component={Link} to="/plan" size="sm">show it in advance</Anchor>
                </>
              ) : (
                'It has no periodic decisions.'
              )}
            </Text>
          </Panel>
        </Grid.Col>
        <Grid.Col span={12}>
          <OverTime />
        </Grid.Col>
        <Grid.Col span={12}>
          <RecentChanges now={overview.at} />
        </Grid.Col>
      </Grid>
    </>
  );
}
