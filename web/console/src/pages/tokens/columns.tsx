import { revokeToken, type Token } from '../../api/tokens';
import type { Action } from '../../ui/action';
import { ActionButton } from '../../ui/ActionButton';
import type { Column } from '../../ui/column';
import { Moment } from '../../ui/Moment';

/** The columns of the table of tokens. */
export const tokenColumns: Column<Token>[] = [
  { id: 'name', header: 'Name', width: 150, value: (token) => token.name, cell: (token) => <span title={token.name}>{token.name}</span> },
  { id: 'role', header: 'Role', width: 90, value: (token) => token.role, cell: (token) => token.role },
  { id: 'owner', header: 'Owner', width: 120, value: (token) => token.owner, cell: (token) => <span title={token.owner}>{token.owner}</span> },
  { id: 'project', header: 'Project', width: 120, value: (token) => token.project, cell: (token) => <span title={token.project}>{token.project}</span> },
  { id: 'created', header: 'Created', width: 175, value: (token) => token.created, cell: (token) => <Moment at={token.created} /> },
  { id: 'expires', header: 'Expires', width: 175, value: (token) => token.expires, cell: (token) => (token.expires ? <Moment at={token.expires} /> : 'never') },
  { id: 'state', header: 'State', width: 86, value: stateOf, cell: stateOf },
  { id: 'revoke', header: 'Revoke', width: 100, cell: (token) => !token.revoked && <ActionButton size="compact-sm" action={revoke(token)} aria-label={`Revoke ${token.name}`} /> },
];

function stateOf(token: Token): string {
  if (token.revoked) return 'revoked';
  return token.expires && Date.parse(token.expires) < Date.now() ? 'expired' : 'valid';
}

function revoke(token: Token): Action {
  return {
    label: 'Revoke',
    run: (key) => revokeToken(token.id, key),
    done: `The token ${token.name} is revoked`,
    confirm: {
      title: `Revoke the token ${token.name}?`,
      verb: 'Revoke it',
      body: `Whatever uses it is refused from now on, and its open streams and sessions end. This cannot be undone; jobs submitted with it go on.`,
    },
  };
}
