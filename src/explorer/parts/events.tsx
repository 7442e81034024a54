import { useState } from 'preact/hooks';
import type { Log } from '../../generated/node-rpc-v1.js';
import { toHex, toPrefixedHex } from '../../idl/hex.js';
import { counted } from '../text/format.js';
import { shortName } from '../text/untrusted.js';
import { Empty } from './failure-box.js';
import { AddressHex, Height, Hex, TransactionHex } from './hex.js';
import { Json, RawBytes, SMALL_BUDGET } from './json.js';

/** Number of events shown at first, and added per click. */
const STEP = 20;

/** Events, decoded if the contract's interface is known. @param placed shows block and transaction */
export function Events({
  logs,
  placed = false,
}: {
  readonly logs: readonly Log[];
  readonly placed?: boolean;
}) {
  const [shown, setShown] = useState(STEP);
  if (logs.length === 0) return <Empty>No events.</Empty>;
  return (
    <>
      <ol class="events">
        {logs.slice(0, shown).map((log) => (
          <li key={`${log.height}/${log.tx_index}/${log.log_index}`} class="event">
            <Event log={log} placed={placed} />
          </li>
        ))}
      </ol>
      {logs.length > shown && (
        <button type="button" onClick={() => setShown(shown + STEP)}>
          Show more of {counted(logs.length, 'event')}
        </button>
      )}
    </>
  );
}

function Event({ log, placed }: { readonly log: Log; readonly placed: boolean }) {
  const { contract, event, topics, data, height, tx_hash } = log;
  return (
    <>
      <p class="event-head">
        <strong>{event === undefined ? 'Unknown event' : shortName(event.name)}</strong>
        <span class="muted">
          {' '}
          of <AddressHex of={contract} />
          {placed && (
            <>
              {' '}
              in block <Height of={height} />, transaction <TransactionHex of={tx_hash} />
            </>
          )}
        </span>
      </p>
      {event === undefined ? (
        <ul class="json">
          {topics.slice(0, 4).map((topic, at) => (
            <li key={toHex(topic)}>
              <span class="json-name">topic {at}</span> <Hex text={toHex(topic)} copy="topic" />
            </li>
          ))}
          <li>
            <span class="json-name">data</span> <RawBytes of={toPrefixedHex(data)} what="data" />
          </li>
        </ul>
      ) : (
        <Json value={event.args} budget={SMALL_BUDGET} />
      )}
    </>
  );
}
