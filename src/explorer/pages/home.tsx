import type { ComponentChildren, RenderableProps } from 'preact';
import { isPaused, latestBlocks, latestTransactions, pool, status } from '../node/live.js';
import { rateText, throughputOf } from '../node/throughput.js';
import { BlockTable } from '../parts/block-table.js';
import { Button } from '../parts/controls.js';
import { Waiting } from '../parts/failure-box.js';
import { Height } from '../parts/hex.js';
import { Section } from '../parts/layout.js';
import { Badge } from '../parts/status.js';
import { Age } from '../parts/time.js';
import { TransactionTable } from '../parts/transaction-table.js';
import { duration, grouped } from '../text/format.js';
import { Heading } from './heading.js';

export function HomePage() {
  return (
    <>
      <Heading title="Overview">
        <Button
          aria-pressed={isPaused.value}
          onClick={() => {
            isPaused.value = !isPaused.value;
          }}
        >
          {isPaused.value ? 'Continue updates' : 'Pause updates'}
        </Button>
      </Heading>
      <Figures />
      <div class="columns">
        <Section title="Latest blocks" aside={<a href="#/blocks">All blocks</a>}>
          {latestBlocks.value === undefined ? (
            <Waiting />
          ) : (
            <BlockTable caption="Latest blocks" blocks={latestBlocks.value} brief />
          )}
        </Section>
        <Section title="Latest transactions" aside={<a href="#/transactions">All transactions</a>}>
          {latestTransactions.value === undefined ? (
            <Waiting />
          ) : (
            <TransactionTable
              caption="Latest transactions"
              transactions={latestTransactions.value}
              show="brief"
            />
          )}
        </Section>
      </div>
    </>
  );
}

function Figures() {
  const now = status.value;
  const waiting = pool.value;
  const rate = throughputOf(latestBlocks.value ?? []);
  if (now === undefined) return <Waiting />;
  const behind = now.tip.height - now.finalized_height;
  return (
    <dl class="figures">
      <Figure name="Height" note={<Age ms={now.tip.timestamp_ms} />}>
        <Height of={now.tip.height} />
      </Figure>
      <Figure
        name="Finalized"
        note={
          now.syncing ? (
            <Badge tone="waiting" text="syncing" />
          ) : behind === 0n ? (
            'at the tip'
          ) : (
            `${behind} behind`
          )
        }
      >
        <Height of={now.finalized_height} />
      </Figure>
      <Figure name="Throughput" note="transactions per second">
        {rate === undefined ? '0' : rateText(rate.perSecond)}
      </Figure>
      <Figure name="Block interval" note="mean of the latest blocks">
        {rate === undefined ? '–' : duration(rate.intervalMs)}
      </Figure>
      <Figure name="Base fee" note="per unit of gas">
        {waiting === undefined ? '–' : grouped(waiting.base_fee)}
      </Figure>
      <Figure
        name="Pool"
        note={waiting === undefined ? '' : `of ${grouped(waiting.capacity)}, ${grouped(waiting.ready)} ready`}
      >
        <a href="#/pool">{grouped(now.txpool_size)}</a>
      </Figure>
    </dl>
  );
}

interface FigureProps {
  readonly name: string;
  readonly note: ComponentChildren;
}

function Figure({ name, note, children }: RenderableProps<FigureProps>) {
  return (
    <div class="figure">
      <dt>{name}</dt>
      <dd class="figure-value">{children}</dd>
      <dd class="figure-note">{note}</dd>
    </div>
  );
}
