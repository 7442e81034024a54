import type { PendingSummary } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import { client } from '../node/connection.js';
import { watchPool } from '../node/watch-pool.js';
import { BlockTable } from '../parts/block-table.js';
import { Empty } from '../parts/failure-box.js';
import { AddressHex, TransactionHex } from '../parts/hex.js';
import { Section, Table } from '../parts/layout.js';
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

function PendingTable({ transactions }: { readonly transactions: readonly PendingSummary[] }) {
  if (transactions.length === 0) return <Empty>The pool is empty.</Empty>;
  return (
    <Table
      caption="Pending transactions, newest first"
      narrow="lines"
      columns={[
        { name: 'Hash', line: 1 },
        { name: 'Action', line: 1 },
        { name: 'From', line: 2 },
        { name: 'Lane', numeric: true },
        { name: 'Nonce', numeric: true },
        { name: 'Highest fee', numeric: true },
        { name: 'Received', line: 2 },
        { name: 'State', line: 1 },
      ]}
      rows={transactions.map((each) => ({
        key: toHex(each.tx_hash),
        cells: [
          <TransactionHex key="hash" of={each.tx_hash} />,
          <ActionName key="action" of={each} />,
          <AddressHex key="from" of={each.sender} />,
          String(each.lane),
          String(each.nonce),
          grouped(each.max_fee),
          <Age key="age" ms={each.received_ms} />,
          <Badge
            key="state"
            tone={each.ready ? 'good' : 'waiting'}
            text={each.ready ? 'ready' : 'nonce gap'}
          />,
        ],
      }))}
    />
  );
}
