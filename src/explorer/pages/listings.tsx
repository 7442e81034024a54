import type { PendingSummary } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import { client } from '../node/connection.js';
import { watchPool } from '../node/watch-pool.js';
import { BlockTable } from '../parts/block-table.js';
import { Empty } from '../parts/failure-box.js';
import { AddressHex, TransactionHex } from '../parts/hex.js';
import { type Column, Section, Table } from '../parts/layout.js';
import { Pages } from '../parts/pages.js';
import { Badge } from '../parts/status.js';
import { Age } from '../parts/time.js';
import { ActionName, TransactionTable } from '../parts/transaction-table.js';
import { grouped } from '../text/format.js';
import { Heading } from './heading.js';

const LIMIT = 25;

const at = (cursor: string | undefined) => ({ limit: LIMIT, ...(cursor !== undefined && { cursor }) });

export function BlocksPage() {
  const node = client.value;
  return (
    <>
      <Heading title="Blocks" />
      <Section title="All blocks">
        <Pages
          inputs={[node]}
          load={async (cursor, signal) => {
            const page = await node.call('list_blocks', at(cursor), { signal });
            return { items: page.blocks, next: page.next_cursor };
          }}
          show={(blocks) => <BlockTable caption="Blocks, newest first" blocks={blocks} />}
        />
      </Section>
    </>
  );
}

export function TransactionsPage() {
  const node = client.value;
  return (
    <>
      <Heading title="Transactions" />
      <Section title="Included transactions">
        <Pages
          inputs={[node]}
          load={async (cursor, signal) => {
            const page = await node.call('list_txs', at(cursor), { signal });
            return { items: page.transactions, next: page.next_cursor };
          }}
          show={(items) => <TransactionTable caption="Transactions, newest first" transactions={items} />}
        />
      </Section>
    </>
  );
}

export function PoolPage() {
  const node = client.value;
  return (
    <>
      <Heading title="Pool" />
      <Section title="Pending transactions">
        <Pages
          inputs={[node]}
          load={async (cursor, signal) => {
            const page = await node.call('list_pending_txs', at(cursor), { signal });
            return { items: page.transactions, next: page.next_cursor };
          }}
          show={(items) => <PendingTable transactions={items} />}
          watch={watchPool}
        />
      </Section>
    </>
  );
}

const PENDING_COLUMNS: readonly Column<PendingSummary>[] = [
  { name: 'Hash', line: 1, cell: ({ tx_hash }) => <TransactionHex of={tx_hash} /> },
  { name: 'Action', line: 1, cell: (each) => <ActionName of={each} /> },
  { name: 'From', line: 2, cell: ({ sender }) => <AddressHex of={sender} /> },
  { name: 'Lane', numeric: true, cell: ({ lane }) => String(lane) },
  { name: 'Nonce', numeric: true, cell: ({ nonce }) => String(nonce) },
  { name: 'Highest fee', numeric: true, cell: ({ max_fee }) => grouped(max_fee) },
  { name: 'Received', line: 2, cell: ({ received_ms }) => <Age ms={received_ms} /> },
  {
    name: 'State',
    line: 1,
    cell: ({ ready }) => <Badge tone={ready ? 'good' : 'waiting'} text={ready ? 'ready' : 'nonce gap'} />,
  },
];

function PendingTable({ transactions }: { readonly transactions: readonly PendingSummary[] }) {
  if (transactions.length === 0) return <Empty>The pool is empty.</Empty>;
  return (
    <Table
      caption="Pending transactions, newest first"
      narrow="lines"
      columns={PENDING_COLUMNS}
      rows={transactions}
      keyOf={({ tx_hash }) => toHex(tx_hash)}
    />
  );
}
