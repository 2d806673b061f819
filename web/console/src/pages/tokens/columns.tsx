import { useSession } from '../../api/session';
import { revokeToken, type Token } from '../../api/tokens';
import type { Action } from '../../ui/action';
import { ActionButton } from '../../ui/ActionButton';
import { useClock } from '../../ui/clock';
import { momentWidth, type Column } from '../../ui/column';
import { Moment } from '../../ui/Moment';

/** The columns of the table of tokens. */
export const tokenColumns: Column<Token>[] = [
  { id: 'name', header: 'Name', width: 102, value: (token) => token.name, cell: (token) => token.name },
  { id: 'token', header: 'Id', help: 'How it begins: `aliquot token list` shows all of it', width: 70, value: (token) => token.id, cell: (token) => <span title={token.id}>{token.id.slice(0, 6)}</span> },
  { id: 'role', header: 'Role', width: 80, value: (token) => token.role, cell: (token) => token.role },
  { id: 'owner', header: 'Owner', width: 90, value: (token) => token.owner, cell: (token) => token.owner },
  { id: 'project', header: 'Project', width: 92, value: (token) => token.project, cell: (token) => token.project },
  { id: 'created', header: 'Created', width: momentWidth.brief, value: (token) => token.created, cell: (token) => <Moment at={token.created} brief /> },
  { id: 'expires', header: 'Expires', width: momentWidth.brief, value: (token) => token.expires, cell: (token) => (token.expires ? <Moment at={token.expires} brief /> : 'never') },
  { id: 'used', header: 'Last use', help: 'To the minute', width: momentWidth.brief, value: (token) => token.used, cell: (token) => <Moment at={token.used} brief /> },
  { id: 'state', header: 'State', width: 80, value: stateOf, cell: (token) => <State token={token} /> },
  { id: 'revoke', header: 'Revoke', width: 96, cell: (token) => !token.revoked && <RevokeButton token={token} /> },
];

function stateOf(token: Token): string {
  if (token.revoked) return 'revoked';
  return token.expires && Date.parse(token.expires) < Date.now() ? 'expired' : 'valid';
}

/** A token may expire while the page is open. */
function State({ token }: { token: Token }) {
  return useClock(() => stateOf(token));
}

function RevokeButton({ token }: { token: Token }) {
  const own = useSession().token === token.id;
  return <ActionButton size="compact-sm" action={revoke(token, own)} aria-label={`Revoke ${token.name}, ${token.id}`} />;
}

function revoke(token: Token, own: boolean): Action {
  const mine = own ? 'Your own session is based on this token: you will be logged out and need another token. ' : '';
  return {
    label: 'Revoke',
    run: (key) => revokeToken(token.id, key),
    done: `The token ${token.name} is revoked`,
    confirm: {
      title: `Revoke the token ${token.name}, ${token.id}?`,
      verb: 'Revoke it',
      body: `${mine}Requests with it are refused from now on, and its open streams and sessions end. This cannot be undone; jobs submitted with it continue.`,
    },
  };
}
