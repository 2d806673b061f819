import { Alert, Button, List, Text } from '@mantine/core';
import { problemOf, type Problem } from '../api/problem';
import { problemTitle } from '../wording/problems';
import { Icon } from './Icon';
import { Prose } from './Prose';

/** ProblemAlert shows a problem with advice, in the API's words. */
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

/** Puts the field in front of the detail if a single field is invalid. Several invalid fields are listed instead. */
function told(problem: Problem): string {
  const ofField = problem.code === 'invalid' && problem.field && !problem.errors;
  return ofField ? `${problem.field!.replace(/^(body\.|submit\.)+/, '')}: ${ended(problem.detail)}` : sentence(problem.detail);
}

/** Turns a detail of the API into a complete sentence. */
export function sentence(text: string): string {
  // A name like n6 at the beginning keeps its lower case.
  const full = /^[a-z]+\b(?![\d.-])/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return ended(full);
}

const ended = (text: string) => (/[.!?]$/.test(text) ? text : text + '.');
