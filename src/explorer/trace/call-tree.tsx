import { useState } from 'preact/hooks';
import type { CallFrame } from '../../generated/node-rpc-v1.js';
import { toPrefixedHex } from '../../idl/hex.js';
import { RevertFacts } from '../contract/outcome.js';
import { Events } from '../parts/events.js';
import { AddressHex } from '../parts/hex.js';
import { Json, RawBytes } from '../parts/json.js';
import { Fact, Facts } from '../parts/layout.js';
import { StatusBadge, StatusLine } from '../parts/status.js';
import { counted, grouped } from '../text/format.js';
import { shortName } from '../text/untrusted.js';

/** Number of calls of a frame shown at first, and added per click. */
const STEP = 20;
/** Number of levels expanded at first. */
const OPEN_LEVELS = 2;
/** Deeper levels are indented no further, so that they stay readable on narrow screens. */
const INDENTED_LEVELS = 6;

/** A transaction's calls as a tree; deep and long parts expand on request. */
export function CallTree({ root }: { readonly root: CallFrame }) {
  return (
    <ul class="call-tree">
      <CallNode frame={root} level={0} />
    </ul>
  );
}

function CallNode({ frame, level }: { readonly frame: CallFrame; readonly level: number }) {
  const [open, setOpen] = useState(level < OPEN_LEVELS);
  const [details, setDetails] = useState(false);
  const [shown, setShown] = useState(STEP);
  const { kind, method, to, gas_used, status, calls } = frame;
  const name = method === undefined ? kind : shortName(method, 40);
  return (
    <li>
      <div class="call">
        {calls.length > 0 ? (
          <button
            type="button"
            class="icon-button"
            aria-expanded={open}
            aria-label={`${counted(calls.length, 'call')} of ${name}`}
            onClick={() => setOpen(!open)}
          >
            <span aria-hidden="true">{open ? '▾' : '▸'}</span>
          </button>
        ) : (
          <span class="call-leaf" aria-hidden="true">
            ·
          </span>
        )}
        <strong>{name}</strong>
        <span class="muted">
          {shortName(kind, 16)} to <AddressHex of={to} />
        </span>
        <StatusBadge of={status} />
        <span class="muted">{grouped(gas_used)} gas</span>
        <button
          type="button"
          class="link-button"
          aria-expanded={details}
          aria-label={`Details of ${name}`}
          onClick={() => setDetails(!details)}
        >
          Details
        </button>
      </div>
      {details && <CallDetails frame={frame} />}
      {open && calls.length > 0 && (
        <ul class={level < INDENTED_LEVELS ? 'call-tree' : 'call-tree call-tree-flat'}>
          {calls.slice(0, shown).map((call, at) => (
            // A call has no identity other than its index.
            <CallNode key={at} frame={call} level={level + 1} />
          ))}
          {calls.length > shown && (
            <li>
              <button type="button" class="link-button" onClick={() => setShown(shown + STEP)}>
                Show more of {counted(calls.length, 'call')}
              </button>
            </li>
          )}
        </ul>
      )}
    </li>
  );
}

function CallDetails({ frame }: { readonly frame: CallFrame }) {
  const { from, value, gas_limit, args, input, decoded, output, status, logs } = frame;
  return (
    <div class="call-details">
      <Facts>
        <Fact name="From">
          <AddressHex of={from} copy />
        </Fact>
        <Fact name="Status">
          <StatusLine of={status} />
        </Fact>
        {status.type === 'reverted' && <RevertFacts of={status.value} />}
        <Fact name="Value">{grouped(value)}</Fact>
        <Fact name="Gas limit">{grouped(gas_limit)}</Fact>
        <Fact name={args === undefined ? 'Input' : 'Arguments'}>
          {args === undefined ? <RawBytes of={toPrefixedHex(input)} what="input" /> : <Json value={args} />}
        </Fact>
        <Fact name="Output">
          {decoded === undefined ? (
            <RawBytes of={toPrefixedHex(output)} what="output" />
          ) : (
            <Json value={decoded} />
          )}
        </Fact>
      </Facts>
      {logs.length > 0 && <Events logs={logs} />}
    </div>
  );
}
