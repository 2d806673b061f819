import { Code, List, Text } from '@mantine/core';

const meanings: [pattern: RegExp, text: string][] = [
  [/^FCFS$/i, 'first come, first served: jobs start in the order of submission, each task on a node of its own'],
  [/^(EASY|CONS)/i, 'backfilling: a later job may start earlier if it delays no promised start'],
  [/^GreedyPM\b/, 'greedy placement on the least loaded node; others may be moved, or paused, to make room'],
  [/^GreedyP\b/, 'greedy placement on the least loaded node; others may be paused to make room'],
  [/^Greedy\b/, 'greedy placement on the least loaded node with room'],
  [/^MCB8\b/, 'vector packing of all tasks anew, so that the least yield is as high as possible'],
  [/\*/, '*: decides also when a job ends'],
  [/\/per/, '/per: decides also at every tick of the period'],
  [/opt=min/, 'opt=min: after the least yield, the next smallest are raised as far as they go'],
  [/opt=avg/, 'opt=avg: after the least yield, the average is raised'],
  [/minvt=(\d+)/, 'minvt: a job with less virtual time than this many seconds is not moved by a periodic decision'],
  [/minft=(\d+)/, 'minft: a job with less flow time than this many seconds is not moved by a periodic decision'],
  [/\/stable/, '/stable: decides also at every tick of the period, and moves only for a gain that outweighs what the moves cost'],
];

/** PolicyName is the published name of a policy with what its parts mean. */
export function PolicyName({ name }: { name: string }) {
  const parts = meanings.filter(([pattern]) => pattern.test(name));
  return (
    <>
      <Code fz="sm" className="wrap-anywhere">
        {name}
      </Code>
      {parts.length > 0 && (
        <List size="sm" mt="xs" spacing={2}>
          {parts.map(([pattern, text]) => (
            <List.Item key={pattern.source}>
              <Text size="sm">{text}</Text>
            </List.Item>
          ))}
        </List>
      )}
    </>
  );
}
