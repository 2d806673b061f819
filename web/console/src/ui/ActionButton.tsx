import { Button, Tooltip, type ButtonProps } from '@mantine/core';
import { useAction, type Action } from './action';
import { ConfirmDialog } from './ConfirmDialog';

/**
 * ActionButton starts an action: it asks first if the action is dangerous, and reports the outcome. One that would be
 * refused can be reached, because it tells the reason, and does nothing.
 */
export function ActionButton({ action, ...look }: { action: Action; 'aria-label'?: string } & ButtonProps) {
  const { ask, asking, confirm, cancel, go, pending } = useAction(action);
  return (
    <>
      <Tooltip label={action.barred} disabled={!action.barred} events={{ hover: true, focus: true, touch: true }}>
        <Button
          variant="default" className={action.confirm && 'danger'} {...look} loading={pending}
          data-disabled={action.barred ? true : undefined} aria-disabled={action.barred ? true : undefined} aria-description={action.barred}
          onClick={action.barred ? undefined : ask}
        >
          {action.label}
        </Button>
      </Tooltip>
      {confirm && <ConfirmDialog opened={asking} confirm={confirm} pending={pending} onCancel={cancel} onConfirm={go} />}
    </>
  );
}
