import type { ComponentChildren } from 'preact';
import { toHex } from '../../idl/hex.js';
import { NativeAmount, TokenAmount } from '../amounts/amount.js';
import { type ListedAction, type ListedTransaction, useListedCall } from '../names/token-transfers.js';
import { addressLink } from '../routing/route.js';
import { grouped } from '../text/format.js';
import { shortName } from '../text/untrusted.js';
import { Empty } from './failure-box.js';
import { AddressHex, AddressText, Height, TransactionHex } from './hex.js';
import { type Column, Table } from './layout.js';
import { useContractName } from './name-chip.js';
import { StatusBadge } from './status.js';
import { Age } from './time.js';

const COLUMNS = {
  all: [
    { name: 'Hash', line: 1 },
    { name: 'Action', line: 1 },
    { name: 'Block', numeric: true },
    { name: 'Age', line: 2 },
    { name: 'From' },
    { name: 'To', line: 2 },
    { name: 'Amount', numeric: true, line: 2 },
    { name: 'Status', line: 1 },
  ],
  block: [
    { name: 'Hash', line: 1 },
    { name: 'Action', line: 1 },
    { name: 'From' },
    { name: 'To', line: 2 },
    { name: 'Amount', numeric: true, line: 2 },
    { name: 'Gas used', numeric: true },
    { name: 'Status', line: 1 },
  ],
  brief: [
    { name: 'Hash', line: 1 },
    { name: 'Call', line: 2 },
    { name: 'Age', line: 1 },
    { name: 'Status', line: 1 },
  ],
} as const satisfies Readonly<Record<string, readonly Column[]>>;

/**
 * A table of transactions. It looks up recipients and amounts of token transfers that the list lacks, all in one request.
 * @param show for the transactions of one block, those of any blocks, or the most important columns, which need names
 *   only
 */
export function TransactionTable({
  transactions,
  caption,
  show = 'all',
}: {
  readonly transactions: readonly ListedTransaction[];
  readonly caption: string;
  readonly show?: keyof typeof COLUMNS;
}) {
  if (transactions.length === 0) return <Empty>No transactions yet.</Empty>;
  const columns = COLUMNS[show];
  return (
    <Table
      caption={caption}
      narrow="lines"
      columns={columns}
      rows={transactions.map((transaction) => {
        const cells = cellsOf(transaction);
        return {
          // A sealed transaction is listed at its inclusion and at its opening.
          key: `${toHex(transaction.tx_hash)}/${transaction.height}`,
          cells: columns.map(({ name }) => cells[name]()),
        };
      })}
    />
  );
}

type Cells = Readonly<
  Record<(typeof COLUMNS)[keyof typeof COLUMNS][number]['name'], () => ComponentChildren>
>;

function cellsOf(transaction: ListedTransaction): Cells {
  const { tx_hash, height, timestamp_ms, sender, status, gas_used } = transaction;
  return {
    Hash: () => <TransactionHex of={tx_hash} />,
    Action: () => <ActionName of={transaction} />,
    Call: () => <CallSummary of={transaction} />,
    Block: () => <Height of={height} />,
    Age: () => <Age ms={timestamp_ms} />,
    From: () => <AddressHex of={sender} />,
    To: () => <Recipient of={transaction} />,
    Amount: () => <Amount of={transaction} />,
    'Gas used': () => grouped(gas_used),
    Status: () => <StatusBadge of={status} />,
  };
}

/** A method's name as it is; what the chain itself does, and a transfer of tokens, in words. */
export function ActionName({ of }: { readonly of: ListedAction }) {
  const { method, token } = useListedCall(of, false);
  if (token !== undefined) return <span title={`method ${method}`}>Token transfer</span>;
  if (method !== undefined) return <span class="mono break">{shortName(method, 24)}</span>;
  const { type } = of.kind;
  return <span>{`${type.charAt(0).toUpperCase()}${type.slice(1)}`}</span>;
}

/** The action, and the account or contract that it is addressed to. */
function CallSummary({ of }: { readonly of: ListedTransaction }) {
  return (
    <>
      <ActionName of={of} />
      {of.to !== undefined && (
        <>
          {' '}
          <span class="muted">→</span> <AddressHex of={of.to} />
        </>
      )}
    </>
  );
}

function Recipient({ of }: { readonly of: ListedTransaction }) {
  const { transfer } = useListedCall(of, true);
  if (transfer !== undefined) return <AddressText digits={transfer.to} />;
  return of.to === undefined ? <span class="muted">none</span> : <AddressHex of={of.to} />;
}

/** The amount of a transfer of tokens, with its token, or the native amount. */
function Amount({ of }: { readonly of: ListedTransaction }) {
  const { token, transfer } = useListedCall(of, true);
  const name = useContractName(token);
  if (token === undefined || transfer === undefined) return <NativeAmount of={of.value} />;
  return (
    <>
      <TokenAmount of={transfer.amount} contract={token} />{' '}
      <a class="chip" href={addressLink(token)} title={`The token 0x${token}`}>
        {name}
      </a>
    </>
  );
}
