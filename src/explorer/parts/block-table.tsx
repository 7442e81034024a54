import type { BlockSummary } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import { grouped, percent } from '../text/format.js';
import { Empty } from './failure-box.js';
import { Height, Hex } from './hex.js';
import { type Column, Table } from './layout.js';
import { Finality } from './status.js';
import { Age } from './time.js';

const COLUMNS: readonly Column<BlockSummary>[] = [
  { name: 'Height', cell: ({ height }) => <Height of={height} /> },
  { name: 'Age', cell: ({ timestamp_ms }) => <Age ms={timestamp_ms} /> },
  { name: 'Transactions', numeric: true, cell: ({ tx_count }) => grouped(tx_count) },
  { name: 'Gas used', numeric: true, wide: true, cell: (block) => <GasShare of={block} /> },
  { name: 'Hash', wide: true, cell: ({ hash }) => <Hex text={toHex(hash)} /> },
  { name: 'State', cell: ({ finalized }) => <Finality finalized={finalized} /> },
];
const BRIEF_COLUMNS = COLUMNS.filter(({ name }) => name !== 'Hash');

interface BlockTableProps {
  readonly blocks: readonly BlockSummary[];
  readonly caption: string;
  /** Shows only the most important columns. */
  readonly brief?: boolean;
}

export function BlockTable({ blocks, caption, brief = false }: BlockTableProps) {
  if (blocks.length === 0) return <Empty>No blocks yet.</Empty>;
  const columns = brief ? BRIEF_COLUMNS : COLUMNS;
  return <Table caption={caption} columns={columns} rows={blocks} keyOf={({ hash }) => toHex(hash)} />;
}

function GasShare({ of }: { readonly of: BlockSummary }) {
  return <span title={`${grouped(of.gas_used)} gas`}>{percent(of.gas_used, of.gas_limit)}</span>;
}
