import { useState } from 'preact/hooks';
import { RpcCallError } from '../../client/client.js';
import type { BlockSummary, RangeTx } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import { actionValue, recipient } from '../../ledger/action-facts.js';
import type { ListedTransaction } from '../names/token-transfers.js';
import { client } from '../node/connection.js';
import { status } from '../node/live.js';
import { useAnswer, useLoaded } from '../node/loading.js';
import { Button } from '../parts/controls.js';
import { HexFact } from '../parts/facts.js';
import { Empty, WhenLoaded } from '../parts/failure-box.js';
import { Hex } from '../parts/hex.js';
import { Fact, Facts, Section } from '../parts/layout.js';
import { Finality } from '../parts/status.js';
import { Moment } from '../parts/time.js';
import { TransactionTable } from '../parts/transaction-table.js';
import { blockLink } from '../routing/route.js';
import { counted, grouped, percent } from '../text/format.js';
import { FinalityCheck } from './finality-check.js';
import { Heading } from './heading.js';

/** The page of a block with more transactions lists them only on request. */
const MANY = 1_000;
/** Number of transactions shown at first, and added per click. */
const STEP = 50;

export function BlockPage({ height }: { readonly height: bigint }) {
  const node = client.value;
  const block = useLoaded(
    async (signal) => {
      const range = { from_height: height, to_height: height };
      try {
        return (await node.call('get_block_summaries', range, { signal })).blocks[0];
      } catch (error) {
        if (error instanceof RpcCallError && error.kind === 'not_found') return undefined;
        throw error;
      }
    },
    [node, height],
  );
  const tip = status.value?.tip.height;
  return (
    <>
      <Heading title={`Block ${grouped(height)}`}>
        <nav class="actions" aria-label="Neighbouring blocks">
          {height > 0n && <a href={blockLink(height - 1n)}>← Previous</a>}
          {(tip === undefined || height < tip) && <a href={blockLink(height + 1n)}>Next →</a>}
        </nav>
      </Heading>
      <WhenLoaded of={block}>
        {(summary) =>
          summary === undefined ? (
            <div class="card">
              <Empty>
                There is no block {grouped(height)} yet
                {tip === undefined ? '.' : `; the newest is ${grouped(tip)}.`}
              </Empty>
              <Button onClick={block.reload}>Look again</Button>
            </div>
          ) : (
            <BlockDetails summary={summary} />
          )
        }
      </WhenLoaded>
    </>
  );
}

function BlockDetails({ summary }: { readonly summary: BlockSummary }) {
  const isFinal = summary.finalized || summary.height <= (status.value?.finalized_height ?? -1n);
  return (
    <>
      <Section title="Summary" aside={<Finality finalized={isFinal} />}>
        <Facts>
          <HexFact name="Hash" of={summary.hash} copy="block hash" />
          <Fact name="Parent">
            <Hex
              text={toHex(summary.parent_hash)}
              href={summary.height > 0n ? blockLink(summary.height - 1n) : undefined}
              copy="parent hash"
              long
            />
          </Fact>
          <Fact name="Time">
            <Moment ms={summary.timestamp_ms} />
          </Fact>
          <Fact name="Transactions">{grouped(summary.tx_count)}</Fact>
          <Fact name="Gas used">
            {grouped(summary.gas_used)} of {grouped(summary.gas_limit)}{' '}
            <span class="muted">({percent(summary.gas_used, summary.gas_limit)})</span>
          </Fact>
          <Fact name="Base fee">{grouped(summary.base_fee)}</Fact>
          <Fact name="Proposer">validator {summary.proposer}</Fact>
          <Fact name="Epoch, view">
            {grouped(summary.epoch)}, {grouped(summary.view)}
          </Fact>
          <HexFact name="State root" of={summary.state_root} copy="state root" />
        </Facts>
      </Section>
      <Section title="Transactions">
        <BlockTransactions summary={summary} />
      </Section>
      <Section title="Header and finality">
        <FinalityCheck height={summary.height} hash={summary.hash} />
      </Section>
    </>
  );
}

function BlockTransactions({ summary }: { readonly summary: BlockSummary }) {
  const [wanted, setWanted] = useState(summary.tx_count <= MANY);
  if (summary.tx_count === 0) return <Empty>This block has no transactions.</Empty>;
  if (wanted) return <LoadedTransactions summary={summary} />;
  return <Button onClick={() => setWanted(true)}>Load {counted(summary.tx_count, 'transaction')}</Button>;
}

function LoadedTransactions({ summary }: { readonly summary: BlockSummary }) {
  const { height, timestamp_ms, tx_count: count } = summary;
  const [shown, setShown] = useState(STEP);
  const loaded = useAnswer('get_txs_in_range', { from_height: height, to_height: height }, [height]);
  return (
    <WhenLoaded of={loaded}>
      {({ transactions }) => (
        <>
          {transactions.length > 0 && (
            <TransactionTable
              caption="Transactions of the block, in order"
              show="block"
              transactions={transactions.slice(0, shown).map((each) => listed(each, timestamp_ms))}
            />
          )}
          {transactions.length < count && (
            <p class="muted">
              {counted(count - transactions.length, 'sealed transaction')} not listed: they have no readable
              action in this block.
            </p>
          )}
          {transactions.length > shown && (
            <Button onClick={() => setShown(shown + STEP)}>
              Show more of {counted(transactions.length, 'transaction')}
            </Button>
          )}
        </>
      )}
    </WhenLoaded>
  );
}

/** A transaction of a block as the listings have it. */
function listed(
  { tx_hash, height, transaction, ...outcome }: RangeTx,
  timestamp_ms: bigint,
): ListedTransaction {
  const { sender, action } = transaction.transaction;
  const to = recipient(action);
  return {
    tx_hash,
    height,
    timestamp_ms,
    sender,
    ...outcome,
    kind: { type: action.type },
    value: actionValue(action),
    ...(to !== undefined && { to }),
    ...(action.type === 'call' && { call: action.value }),
  };
}
