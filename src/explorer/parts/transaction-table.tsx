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

type ListedColumn = Column<ListedTransaction>;

const HASH: ListedColumn = { name: 'Hash', line: 1, cell: ({ tx_hash }) => <TransactionHex of={tx_hash} /> };
const ACTION: ListedColumn = { name: 'Action', line: 1, cell: (each) => <ActionName of={each} /> };
const AGE: ListedColumn = { name: 'Age', line: 2, cell: ({ timestamp_ms }) => <Age ms={timestamp_ms} /> };
const FROM: ListedColumn = { name: 'From', cell: ({ sender }) => <AddressHex of={sender} /> };
const TO: ListedColumn = { name: 'To', line: 2, cell: (each) => <Recipient of={each} /> };
const AMOUNT: ListedColumn = { name: 'Amount', numeric: true, line: 2, cell: (each) => <Amount of={each} /> };
const STATUS: ListedColumn = { name: 'Status', line: 1, cell: ({ status }) => <StatusBadge of={status} /> };

const COLUMNS = {
  all: [
    HASH,
    ACTION,
    { name: 'Block', numeric: true, cell: ({ height }) => <Height of={height} /> },
    ...[AGE, FROM, TO, AMOUNT, STATUS],
  ],
  block: [
    ...[HASH, ACTION, FROM, TO, AMOUNT],
    { name: 'Gas used', numeric: true, cell: ({ gas_used }) => grouped(gas_used) },
    STATUS,
  ],
  brief: [
    HASH,
    { name: 'Call', line: 2, cell: (each) => <CallSummary of={each} /> },
    { ...AGE, line: 1 },
    STATUS,
  ],
} satisfies Readonly<Record<string, readonly ListedColumn[]>>;

interface TransactionTableProps {
  readonly transactions: readonly ListedTransaction[];
  readonly caption: string;
  /** For the transactions of one block, those of any blocks, or the most important columns, which need names only. */
  readonly show?: keyof typeof COLUMNS;
}

/** A table of transactions. It looks up recipients and amounts of token transfers that the list lacks, all in one request. */
export function TransactionTable({ transactions, caption, show = 'all' }: TransactionTableProps) {
  if (transactions.length === 0) return <Empty>No transactions yet.</Empty>;
  return (
    <Table
      caption={caption}
      narrow="lines"
      columns={COLUMNS[show]}
      rows={transactions}
      // A sealed transaction is listed at its inclusion and at its opening.
      keyOf={({ tx_hash, height }) => `${toHex(tx_hash)}/${height}`}
    />
  );
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
