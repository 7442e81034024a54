import { useEffect, useRef } from 'preact/hooks';
import type { Receipt, TxByHashResult } from '../../generated/node-rpc-v1.js';
import { fromHex, toPrefixedHex } from '../../idl/hex.js';

import { StatusFacts } from '../contract/outcome.js';
import { client } from '../node/connection.js';
import { useLoaded } from '../node/loading.js';
import { Button } from '../parts/controls.js';
import { Events } from '../parts/events.js';
import { AddressFact, AmountFact } from '../parts/facts.js';
import { Empty, WhenLoaded } from '../parts/failure-box.js';
import { Height, Hex } from '../parts/hex.js';
import { Json, RawBytes } from '../parts/json.js';
import { Fact, Facts, Section } from '../parts/layout.js';
import { Badge, Finality } from '../parts/status.js';
import { Moment } from '../parts/time.js';
import { grouped } from '../text/format.js';
import { shortName } from '../text/untrusted.js';
import { TraceSection } from '../trace/trace-section.js';
import { ActionFacts } from './action-facts.js';
import { Heading } from './heading.js';

/** Polling interval for a transaction that may still change, in milliseconds; doubles with each failure in a row. */
const LOOK_MS = 2_000;
const MAX_LOOK_MS = 30_000;

interface Known {
  readonly found: TxByHashResult;
  readonly receipt: Receipt | undefined;
}

/** @param hash 64 hex digits */
export function TransactionPage({ hash }: { readonly hash: string }) {
  const node = client.value;
  const bytes = fromHex(hash, 0) ?? new Uint8Array(32);
  const known = useLoaded<Known>(
    async (signal) => {
      const [found, { receipt }] = await Promise.all([
        node.call('tx_by_hash', { tx_hash: bytes }, { signal }),
        node.call('tx_receipt', { tx_hash: bytes }, { signal }),
      ]);
      return { found, receipt };
    },
    [node, hash],
  );
  const { loading, reload } = known;
  const failures = useRef(0);
  useEffect(() => {
    if (loading.state !== 'ready' || !isOpen(loading.value)) return;
    const { stale } = loading;
    failures.current = stale === undefined ? 0 : failures.current + 1;
    const usualMs = Math.min(MAX_LOOK_MS, LOOK_MS * 2 ** failures.current);
    const timer = setInterval(
      () => {
        if (document.hidden) return;
        // The next poll begins after this one has settled, so that a slow node is asked no faster.
        clearInterval(timer);
        reload();
      },
      Math.max(usualMs, stale?.retryAfterMs ?? 0),
    );
    return () => clearInterval(timer);
  }, [loading, reload]);
  return (
    <>
      <Heading title="Transaction" />
      <Section title="Summary">
        <Facts>
          <Fact name="Hash">
            <Hex text={hash} copy="transaction hash" long />
          </Fact>
        </Facts>
        <WhenLoaded of={known}>{(value) => <Summary {...value} look={reload} />}</WhenLoaded>
      </Section>
      {loading.state === 'ready' && <Details known={loading.value} hash={bytes} />}
    </>
  );
}

/** True if a transaction is pending or not final yet. */
function isOpen({ found: { status }, receipt }: Known): boolean {
  if (status.type === 'pending') return true;
  return status.type === 'included' && receipt?.finalized !== true;
}

interface SummaryProps extends Known {
  readonly look: () => void;
}

function Summary({ found, receipt, look }: SummaryProps) {
  const { status } = found;
  switch (status.type) {
    case 'not_found':
      return (
        <>
          <Empty>
            The node knows no transaction with this hash, neither in a block nor in its pool.
            {found.oldest_height !== undefined &&
              ` It knows transactions from block ${grouped(found.oldest_height)} on.`}
          </Empty>
          <Button onClick={look}>Look again</Button>
        </>
      );
    case 'rejected':
      return (
        <p class="notice notice-bad">
          The transaction left the pool without being included: {shortName(status.value, 200)}
        </p>
      );
    case 'pending':
      return (
        <Facts>
          <Fact name="State">
            <Badge tone="waiting" text={status.value.ready ? 'pending' : 'waiting for an earlier nonce'} />
          </Fact>
          <Fact name="Lane, nonce">
            {status.value.lane}, {String(status.value.nonce)}
          </Fact>
          <Fact name="In the pool since">
            <Moment ms={status.value.received_ms} />
          </Fact>
        </Facts>
      );
    case 'included':
      return receipt === undefined ? null : <ReceiptFacts receipt={receipt} />;
  }
}

function ReceiptFacts({ receipt }: { readonly receipt: Receipt }) {
  const { status } = receipt;
  return (
    <Facts>
      <StatusFacts of={status} />
      <Fact name="Block">
        <Height of={receipt.height} /> <span class="muted">(index {receipt.index})</span>{' '}
        <Finality finalized={receipt.finalized} />
      </Fact>
      <AddressFact name="From" of={receipt.sender} />
      <Fact name="Lane, nonce">
        {receipt.lane}, {String(receipt.nonce)}
      </Fact>
      <Fact name="Gas used">{grouped(receipt.gas_used)}</Fact>
      <AmountFact name="Fee" of={receipt.fee} />
      {receipt.contract !== undefined && <AddressFact name="Deployed contract" of={receipt.contract} />}
      {receipt.opens_at !== undefined && (
        <Fact name="Sealed">
          opened by the key of block <Height of={receipt.opens_at} />
        </Fact>
      )}
      {receipt.decoded !== undefined ? (
        <Fact name="Result">
          <Json value={receipt.decoded} />
        </Fact>
      ) : (
        // The output of a failed transaction is its revert data, which is shown above.
        status.type === 'success' &&
        receipt.output.length > 0 && (
          <Fact name="Output">
            <RawBytes of={toPrefixedHex(receipt.output)} what="output" />
          </Fact>
        )
      )}
    </Facts>
  );
}

function Details({ known, hash }: { readonly known: Known; readonly hash: Uint8Array }) {
  const { found, receipt } = known;
  const { transaction } = found;
  return (
    <>
      {transaction !== undefined && (
        <Section title="Action">
          <ActionFacts transaction={transaction.transaction} />
        </Section>
      )}
      {receipt !== undefined && (
        <>
          <Section title="Events">
            <Events logs={receipt.logs} />
          </Section>
          <TraceSection key={toPrefixedHex(hash)} hash={hash} />
        </>
      )}
    </>
  );
}
