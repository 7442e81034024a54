import type { BlockSummary } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import { grouped, percent } from '../text/format.js';
import { Empty } from './failure-box.js';
import { Height, Hex } from './hex.js';
import { Table } from './layout.js';
import { Finality } from './status.js';
import { Age } from './time.js';

const COLUMNS = [
  { name: 'Height' },
  { name: 'Age' },
  { name: 'Transactions', numeric: true },
  { name: 'Gas used', numeric: true, wide: true },
  { name: 'Hash', wide: true },
  { name: 'State' },
];

/** A table of blocks. @param brief shows only the most important columns */
export function BlockTable({
  blocks,
  caption,
  brief = false,
}: {
  readonly blocks: readonly BlockSummary[];
  readonly caption: string;
  readonly brief?: boolean;
}) {
  if (blocks.length === 0) return <Empty>No blocks yet.</Empty>;
  const columns = brief ? COLUMNS.filter(({ name }) => name !== 'Hash') : COLUMNS;
  return (
    <Table
      caption={caption}
      columns={columns}
      rows={blocks.map((block) => {
        const hash = toHex(block.hash);
        const cells = [
          <Height key="height" of={block.height} />,
          <Age key="age" ms={block.timestamp_ms} />,
          grouped(block.tx_count),
          <span key="gas" title={`${grouped(block.gas_used)} gas`}>
            {percent(block.gas_used, block.gas_limit)}
          </span>,
          <Hex key="hash" text={hash} />,
          <Finality key="state" finalized={block.finalized} />,
        ];
        return { key: hash, cells: brief ? cells.filter((_, at) => at !== 4) : cells };
      })}
    />
  );
}
