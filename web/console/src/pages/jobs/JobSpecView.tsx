import { Button, Code, CopyButton, Group, Stack } from '@mantine/core';
import { useNavigate } from 'react-router';
import type { Job } from '../../api/client';
import { useMayCopy } from '../../api/session';
import { draftOf, useDraft } from './draft';

/** JobSpecView shows a job as it was submitted, to be copied or submitted again. */
export function JobSpecView({ job }: { job: Job }) {
  const text = JSON.stringify(job.spec, null, 2);
  const [, setDraft] = useDraft();
  const navigate = useNavigate();
  const may = useMayCopy(job);
  return (
    <Stack>
      <Group>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy as JSON'}
            </Button>
          )}
        </CopyButton>
        {may && (
          <Button
            variant="default"
            onClick={() => {
              setDraft(draftOf(job.spec));
              void navigate('/jobs/submit');
            }}
          >
            Submit another like it
          </Button>
        )}
      </Group>
      <Code block tabIndex={0}>
        {text}
      </Code>
    </Stack>
  );
}
