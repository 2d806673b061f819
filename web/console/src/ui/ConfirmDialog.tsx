import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { Confirm } from './action';

interface Props {
  opened: boolean;
  confirm: Confirm;
  pending: boolean;
  onCancel: () => void;
  onConfirm: () => void;
}

/** ConfirmDialog asks once and describes the effect. */
export function ConfirmDialog({ opened, confirm, pending, onCancel, onConfirm }: Props) {
  return (
    <Modal opened={opened} onClose={onCancel} title={confirm.title} size="lg">
      <Stack>
        <Text component="div" size="sm" className="wrap-anywhere">
          {confirm.body}
        </Text>
        <Group justify="end">
          <Button variant="default" onClick={onCancel} data-autofocus>
            Leave it
          </Button>
          <Button color="red.8" onClick={onConfirm} loading={pending}>
            {confirm.verb}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
