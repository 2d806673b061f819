import type { Node } from '../../api/client';
import { confirmDown, cordonNode, removeNode, settleStray, uncordonNode } from '../../api/nodes';
import { problemOf } from '../../api/problem';
import type { Action } from '../../ui/action';
import { sentence } from '../../ui/ProblemAlert';

export const uncordon = (node: Node): Action => ({
  label: 'Uncordon',
  run: (key) => uncordonNode(node.name, key),
  done: `${node.name} is not closed to new VMs`,
  undo: { label: 'Cordon again', run: (key) => cordonNode(node.name, key), done: `${node.name} takes no new VMs` },
});

export const cordon = (node: Node): Action => ({
  label: 'Cordon',
  run: (key) => cordonNode(node.name, key),
  done: `${node.name} takes no new VMs; present VMs stay`,
  undo: { ...uncordon(node), undo: undefined },
  instead: (error) => {
    const { code, detail } = problemOf(error);
    const broken = /^(it would break the promises to .*): plan maintenance/.exec(detail)?.[1];
    return code === 'conflict' && broken ? cordonByForce(node, broken) : undefined;
  },
});

/** Cordons although promises break, after a question that shows the promises that the refusal names. */
const cordonByForce = (node: Node, broken: string) => ({
  label: 'Cordon and break promises',
  run: (key: string) => cordonNode(node.name, key, true),
  done: `${node.name} takes no new VMs, and promises are broken; present VMs stay`,
  undo: { ...uncordon(node), undo: undefined },
  confirm: {
    title: `Cordon ${node.name} and break promises?`,
    verb: `Cordon ${node.name} and break promises`,
    body: `${node.name} was not cordoned. ${sentence(broken)} No other node has room for them then. If you cordon it all the same, their owners are told.`,
  },
});

export const vouchDown = (node: Node): Action => ({
  label: 'Confirm that it is down',
  run: (key) => confirmDown(node.name, key),
  done: `${node.name} is down; its tasks start again elsewhere`,
  confirm: {
    title: `Is ${node.name} down?`,
    verb: 'It is down',
    body: `You confirm that no VM of this cluster runs on ${node.name} any more: its machine is off, or you have checked. Its tasks start again elsewhere. If you are wrong, they run twice. This cannot be undone.`,
  },
});

export const remove = (node: Node): Action => ({
  label: 'Remove',
  run: (key) => removeNode(node.name, key),
  done: `${node.name} is removed`,
  confirm: {
    title: `Remove ${node.name}?`,
    verb: 'Remove it',
    body: `The certificate of ${node.name} is refused from now on, and the node is listed no more. It comes back only with a new token.`,
  },
});

export const adoptStray = (node: string, run: string): Action => ({
  label: 'Adopt',
  run: (key) => settleStray(node, run, 'adopt', key),
  done: `${run} is its task's run again`,
});

export const destroyStray = (node: string, run: string): Action => ({
  label: 'Destroy',
  run: (key) => settleStray(node, run, 'destroy', key),
  done: `${run} on ${node} is being destroyed`,
  confirm: { title: `Destroy ${run}?`, verb: 'Destroy it', body: `The VM of ${run} on ${node} is destroyed and the work in it is lost; this cannot be undone.` },
});
