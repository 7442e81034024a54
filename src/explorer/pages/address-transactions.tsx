import type { ComponentChildren } from 'preact';
import { toHex } from '../../idl/hex.js';
import { client } from '../node/connection.js';
import { Section } from '../parts/layout.js';
import { Pages } from '../parts/pages.js';
import { TransactionTable } from '../parts/transaction-table.js';

const LIMIT = 20;

export interface AddressListingProps {
  readonly address: Uint8Array;
  readonly aside?: ComponentChildren;
}

interface AddressTransactionsProps extends AddressListingProps {
  readonly of: 'sender' | 'contract';
}

/** Transactions that an account sent, or that involve a contract. */
export function AddressTransactions({ address, of, aside }: AddressTransactionsProps) {
  const node = client.value;
  const title = of === 'sender' ? 'Sent transactions' : 'Transactions that call this contract';
  return (
    <Section title={title} aside={aside}>
      <Pages
        inputs={[node, toHex(address), of]}
        load={async (cursor, signal) => {
          const page = { limit: LIMIT, ...(cursor !== undefined && { cursor }) };
          const { transactions, next_cursor } =
            of === 'sender'
              ? await node.call('list_txs_by_sender', { sender: address, ...page }, { signal })
              : await node.call('list_txs_by_contract', { contract: address, ...page }, { signal });
          return { items: transactions, next: next_cursor };
        }}
        show={(items) => <TransactionTable caption={title} transactions={items} />}
      />
    </Section>
  );
}
