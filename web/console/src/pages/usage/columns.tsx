import type { UsageBy, UsageRow } from '../../api/usage';
import type { Column } from '../../ui/column';
import { count } from '../../wording/amounts';

/** The columns of the table of usage. */
export function columnsOf(by: UsageBy): Column<UsageRow>[] {
  return [
    { id: 'name', header: by === 'owner' ? 'Owner' : 'Project', cell: (row) => row[by] },
    hours('granted', 'Granted', 'CPU that was granted, in hours of a core', (row) => row.grantedCoreHours),
    hours('used', 'Used', 'CPU that virtual machines used, as measured, in hours of a core', (row) => row.usedCoreHours),
    hours('waited', 'Waited', 'Time for which jobs that may run waited or were paused', (row) => row.waitedJobHours),
  ];
}

function hours(id: string, header: string, help: string, of: (row: UsageRow) => number): Column<UsageRow> {
  return { id, header, help, width: 150, align: 'end', cell: (row) => inHours(of(row)) };
}

/** Formats hours with two digits after the point, and less than that as such, because it is not nothing. */
const inHours = (amount: number) => (amount > 0 && amount < 0.005 ? 'under 0.01 h' : `${count(Number(amount.toFixed(2)))} h`);
