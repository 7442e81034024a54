import { useId, useState } from 'preact/hooks';
import type { FrameLog, Log } from '../../generated/node-rpc-v1.js';
import { toHex, toPrefixedHex } from '../../idl/hex.js';
import type { JsonValue } from '../../idl/json-value.js';
import { counted } from '../text/format.js';
import { shortName } from '../text/untrusted.js';
import { Button, useShown } from './controls.js';
import { Empty } from './failure-box.js';
import { AddressHex, Height, Hex, TransactionHex } from './hex.js';
import { InLineJson, Json, RawBytes, SMALL_BUDGET } from './json.js';
import { Fact, Facts } from './layout.js';
import { Age } from './time.js';

/** Number of events shown at first, and added per click. */
const STEP = 25;
/** Maximum number of fields in an event's line. */
const MAX_IN_LINE = 8;

/** Times of blocks in milliseconds by height, as far as they are known. */
type Times = ReadonlyMap<bigint, bigint>;

/**
 * Events in a line each, decoded if the contract's interface is known.
 * @param times given for events of one contract: the lines then have the block instead of the contract
 */
export function Events({ logs, times }: { readonly logs: readonly Log[]; readonly times?: Times }) {
  const { shown, more } = useShown(logs, STEP, counted(logs.length, 'event'));
  if (logs.length === 0) return <Empty>No events.</Empty>;
  return (
    <>
      <ol class="events">
        {shown.map((log) => (
          <EventLine key={`${log.height}/${log.tx_index}/${log.log_index}`} log={log} times={times} />
        ))}
      </ol>
      {more}
    </>
  );
}

function EventLine({ log, times }: { readonly log: Log; readonly times: Times | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const name = eventName(log);
  return (
    <li class="event">
      <div class="event-line">
        <Button
          class="icon-button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          aria-label={`Values of event ${name}`}
          onClick={() => setOpen(!isOpen)}
        >
          <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>
        </Button>
        <p class="event-text">
          <strong>{name}</strong>
          {log.event !== undefined && <InLineFields args={log.event.args} contract={log.contract} />}
        </p>
        <p class="event-place muted">
          {times === undefined ? (
            <AddressHex of={log.contract} />
          ) : (
            <>
              <span>
                block <Height of={log.height} />
              </span>
              <AgeOf height={log.height} times={times} />
            </>
          )}
        </p>
      </div>
      {isOpen && (
        <div id={id} class="event-details">
          {times !== undefined && (
            <Facts>
              <Fact name="Transaction">
                <TransactionHex of={log.tx_hash} copy long />
              </Fact>
            </Facts>
          )}
          <EventFields of={log} />
        </div>
      )}
    </li>
  );
}

function AgeOf({ height, times }: { readonly height: bigint; readonly times: Times }) {
  const ms = times.get(height);
  return ms === undefined ? null : <Age ms={ms} />;
}

/** The fields in parentheses. The details have what is cut here. */
function InLineFields({ args, contract }: { readonly args: JsonValue; readonly contract: Uint8Array }) {
  const isRecord = typeof args === 'object' && args !== null && !Array.isArray(args);
  const fields: readonly (readonly [string, JsonValue])[] = isRecord ? Object.entries(args) : [];
  return (
    <>
      (
      {fields.slice(0, MAX_IN_LINE).map(([name, value], at) => (
        <span key={name}>
          {at > 0 && ', '}
          <span class="muted">{shortName(name, 32)}:</span>{' '}
          <InLineJson value={value} name={name} contract={contract} />
        </span>
      ))}
      {fields.length > MAX_IN_LINE && <span class="muted">, …</span>}
      {!isRecord && <span class="muted">…</span>})
    </>
  );
}

export function eventName({ event }: Log | FrameLog): string {
  return event === undefined ? 'Unknown event' : shortName(event.name);
}

/** The arguments of an event, or its topics and data if it could not be decoded. */
export function EventFields({ of: { contract, event, topics, data } }: { readonly of: Log | FrameLog }) {
  if (event !== undefined) return <Json value={event.args} budget={SMALL_BUDGET} contract={contract} />;
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
