import type { TxSummary } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import { grouped } from '../text/format.js';
import { shortName } from '../text/untrusted.js';
import { Empty } from './failure-box.js';
import { AddressHex, Height, TransactionHex } from './hex.js';
import { Table } from './layout.js';
import { StatusBadge } from './status.js';
import { Age } from './time.js';

const COLUMNS = [
  { name: 'Hash' },
  { name: 'Action' },
  { name: 'Block', numeric: true, wide: true },
  { name: 'Age', wide: true },
  { name: 'From', wide: true },
  { name: 'To', wide: true },
  { name: 'Value', numeric: true, wide: true },
  { name: 'Status' },
];

const BRIEF = ['Hash', 'Action', 'Age', 'Status'];

/** A table of transactions. @param brief shows only the most important columns */
export function TransactionTable({
  transactions,
  caption,
  brief = false,
}: {
  readonly transactions: readonly TxSummary[];
  readonly caption: string;
  readonly brief?: boolean;
}) {
  if (transactions.length === 0) return <Empty>No transactions yet.</Empty>;
  const kept = COLUMNS.flatMap(({ name }, at) => (!brief || BRIEF.includes(name) ? [at] : []));
  return (
    <Table
      caption={caption}
      columns={COLUMNS.filter((_, at) => kept.includes(at))}
      rows={transactions.map((transaction) => {
        const cells = cellsOf(transaction);
        return {
          // A sealed transaction is listed at its inclusion and at its opening.
          key: `${toHex(transaction.tx_hash)}/${transaction.height}`,
          cells: kept.map((at) => cells[at]),
        };
      })}
    />
  );
}

function cellsOf(transaction: TxSummary) {
  const { tx_hash, kind, method, height, timestamp_ms, sender, to, value, status } = transaction;
  return [
    <TransactionHex key="hash" of={tx_hash} />,
    <span key="action" class="break">
      {method === undefined ? kind.type : shortName(method, 24)}
    </span>,
    <Height key="block" of={height} />,
    <Age key="age" ms={timestamp_ms} />,
    <AddressHex key="from" of={sender} />,
    to === undefined ? <span class="muted">none</span> : <AddressHex key="to" of={to} />,
    <span key="value">{grouped(value)}</span>,
    <StatusBadge key="status" of={status} />,
  ];
}
