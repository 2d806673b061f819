import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** EmptyState takes the place of missing content and suggests the next step. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center">
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text c="var(--aliquot-quiet)" maw={520} component="div">
        {children}
      </Text>
      {action}
    </Stack>
  );
}
