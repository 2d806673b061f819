import type { Node } from '../../api/client';
import { useMay } from '../../api/session';
import { ActionButton } from '../../ui/ActionButton';
import { cordon, remove, uncordon, vouchDown } from './actions';
import { DrainButton } from './DrainButton';

/** NodeActions are the actions that an operator can take on a node in its state. */
export function NodeActions({ node }: { node: Node }) {
  if (!useMay('operator')) return null;
  const kept = node.cordoned || node.draining;
  return (
    <>
      {node.health === 'silent' && <ActionButton action={vouchDown(node)} />}
      {(node.state === 'drained' || node.state === 'down') && <ActionButton action={remove(node)} />}
      {kept ? <ActionButton key="uncordon" action={uncordon(node)} /> : <ActionButton key="cordon" action={cordon(node)} />}
      {!node.draining && <DrainButton node={node} />}
    </>
  );
}
