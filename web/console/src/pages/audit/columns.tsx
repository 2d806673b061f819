import type { AuditEntry } from '../../api/audit';
import { momentWidth, type Column } from '../../ui/column';
import { Moment } from '../../ui/Moment';
import { count } from '../../wording/amounts';

/** The columns of the audit log. */
export const columns: Column<AuditEntry>[] = [
  { id: 'at', header: 'Time', width: momentWidth.full, cell: (entry) => <Moment at={entry.at} full /> },
  { id: 'actor', header: 'Actor', width: 110, cell: (entry) => entry.actor ?? '–' },
  { id: 'from', header: 'From', help: 'Address that the request came from', width: 130, cell: (entry) => entry.from ?? '–' },
  { id: 'operation', header: 'Operation', width: 140, cell: (entry) => entry.operation },
  { id: 'object', header: 'Concerns', cell: (entry) => entry.object ?? '–' },
  { id: 'outcome', header: 'Outcome', width: 160, cell: outcome },
  { id: 'count', header: 'Count', help: 'Repetitions within a minute share an entry', width: 80, align: 'end', cell: (entry) => count(entry.count) },
];

/** On a phone, one column holds all but the time. */
export const narrowColumns: Column<AuditEntry>[] = [
  { id: 'at', header: 'Time', width: 104, cell: (entry) => <Moment at={entry.at} /> },
  { id: 'what', header: 'What happened', cell: sentence },
];

function outcome({ outcome, code }: AuditEntry): string {
  return code ? `${outcome}: ${code.replaceAll('_', ' ')}` : outcome;
}

function sentence(entry: AuditEntry): string {
  const times = entry.count > 1 ? ` (${count(entry.count)} times)` : '';
  return `${entry.actor ?? 'unknown'} from ${entry.from ?? 'unknown'}: ${[entry.operation, entry.object].filter(Boolean).join(' ')}, ${outcome(entry)}${times}`;
}
