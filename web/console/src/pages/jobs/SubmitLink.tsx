import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useMay } from '../../api/session';
import { Icon } from '../../ui/Icon';

/** SubmitLink links to the form, for users who may submit jobs. */
export function SubmitLink() {
  if (!useMay('user')) return null;
  return (
    <Button component={Link} to="/jobs/submit" leftSection={<Icon name="plus" />}>
      Submit a job
    </Button>
  );
}
