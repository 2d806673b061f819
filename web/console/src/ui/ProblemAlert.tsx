import { Alert, Button, List, Text } from '@mantine/core';
import { problemOf, type Problem } from '../api/problem';
import { problemTitle } from '../wording/problems';
import { Icon } from './Icon';
import { Prose } from './Prose';

/** ProblemAlert says what went wrong and what to do, in the API's words. */
export function ProblemAlert({ error, retry, title }: { error: unknown; retry?: () => void; title?: string }) {
  const problem = problemOf(error);
  return (
    <Alert role="alert" color="red" variant="outline" icon={<Icon name="warning" />} title={title ?? problemTitle(problem)}>
      <Text size="sm" c="var(--mantine-color-text)">
        {told(problem)}
      </Text>
      {problem.errors && (
        <List size="sm" c="var(--mantine-color-text)">
          {problem.errors.map((fault) => (
            <List.Item key={fault.field + fault.message}>
              {fault.field ? `${fault.field}: ` : ''}
              {fault.message}
            </List.Item>
          ))}
        </List>
      )}
      <Text size="sm" mt={4} c="var(--mantine-color-text)">
        <Prose text={problem.help} />
      </Text>
      {retry && (
        <Button size="xs" mt="xs" variant="default" onClick={retry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}

/** What is invalid is told as what its field is not, so that the field comes before it; with several at fault they are listed. */
function told(problem: Problem): string {
  const ofField = problem.code === 'invalid' && problem.field && !problem.errors;
  return ofField ? `${problem.field!.replace(/^(body\.|submit\.)+/, '')}: ${ended(problem.detail)}` : sentence(problem.detail);
}

/** A detail of the API as a sentence on its own. */
export function sentence(text: string): string {
  // A name like n6 at the beginning is a name still.
  const full = /^[a-z]+\b(?![\d.-])/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return ended(full);
}

const ended = (text: string) => (/[.!?]$/.test(text) ? text : text + '.');
