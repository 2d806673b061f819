import { Button, type ButtonProps } from '@mantine/core';
import { useAction, type Action } from './action';
import { ConfirmDialog } from './ConfirmDialog';

/** ActionButton starts an action: it asks first if the action is dangerous, and reports the outcome. */
export function ActionButton({ action, ...look }: { action: Action; 'aria-label'?: string } & ButtonProps) {
  const { ask, asking, cancel, go, pending } = useAction(action);
  return (
    <>
      <Button variant="default" className={action.confirm && 'danger'} {...look} loading={pending} onClick={ask}>
        {action.label}
      </Button>
      {action.confirm && <ConfirmDialog opened={asking} confirm={action.confirm} pending={pending} onCancel={cancel} onConfirm={go} />}
    </>
  );
}
