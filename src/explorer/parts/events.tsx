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
            <p class="event-head">
              <strong>{eventName(log)}</strong>
              <span class="muted">
                {' '}
                of <AddressHex of={log.contract} />
                {placed && (
                  <>
                    {' '}
                    in block <Height of={log.height} />, transaction <TransactionHex of={log.tx_hash} />
                  </>
                )}
              </span>
            </p>
            <EventFields of={log} />
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

export function eventName({ event }: Pick<Log, 'event'>): string {
  return event === undefined ? 'Unknown event' : shortName(event.name);
}

/** The arguments of an event, or its topics and data if it could not be decoded. */
export function EventFields({ of: { event, topics, data } }: { readonly of: Log }) {
  if (event !== undefined) return <Json value={event.args} budget={SMALL_BUDGET} />;
  return (
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
  );
}
