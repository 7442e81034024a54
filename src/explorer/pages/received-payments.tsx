import type { TxSummary } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import { NativeAmount } from '../amounts/amount.js';
import { client } from '../node/connection.js';
import { Empty } from '../parts/failure-box.js';
import { AddressHex, Height, TransactionHex } from '../parts/hex.js';
import { type Column, Section, Table } from '../parts/layout.js';
import { Pages } from '../parts/pages.js';
import { Age } from '../parts/time.js';
import { ActionName } from '../parts/transaction-table.js';
import type { AddressListingProps } from './address-transactions.js';

const LIMIT = 20;

/** Transactions that paid native balance to an address, directly or by a contract. */
export function ReceivedPayments({ address, aside }: AddressListingProps) {
  const node = client.value;
  return (
    <Section title="Received payments" aside={aside}>
      <Pages
        inputs={[node, toHex(address)]}
        load={async (cursor, signal) => {
          const { transactions, next_cursor } = await node.call(
            'list_txs_by_recipient',
            { recipient: address, limit: LIMIT, ...(cursor !== undefined && { cursor }) },
            { signal },
          );
          return { items: transactions, next: next_cursor };
        }}
        show={(items) => <PaymentTable payments={items} />}
      />
    </Section>
  );
}

const COLUMNS: readonly Column<TxSummary>[] = [
  { name: 'Hash', cell: ({ tx_hash }) => <TransactionHex of={tx_hash} /> },
  { name: 'Action', wide: true, cell: (payment) => <ActionName of={payment} /> },
  { name: 'Block', numeric: true, wide: true, cell: ({ height }) => <Height of={height} /> },
  { name: 'Age', cell: ({ timestamp_ms }) => <Age ms={timestamp_ms} /> },
  { name: 'Sent by', wide: true, cell: ({ sender }) => <AddressHex of={sender} /> },
  {
    name: 'Received',
    numeric: true,
    cell: ({ received }) => received !== undefined && <NativeAmount of={received} />,
  },
];

function PaymentTable({ payments }: { readonly payments: readonly TxSummary[] }) {
  if (payments.length === 0) return <Empty>No payments yet.</Empty>;
  return (
    <Table
      caption="Received payments, newest first"
      columns={COLUMNS}
      rows={payments}
      keyOf={({ tx_hash }) => toHex(tx_hash)}
    />
  );
}
