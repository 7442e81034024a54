import { useState } from 'preact/hooks';
import { frameSteps } from '../../client/frame-steps.js';
import type { CallFrame, FrameLog } from '../../generated/node-rpc-v1.js';
import { toPrefixedHex } from '../../idl/hex.js';

import { StatusFacts } from '../contract/outcome.js';
import { Button, useShown } from '../parts/controls.js';
import { EventFields, eventName } from '../parts/events.js';
import { AmountFact } from '../parts/facts.js';
import { AddressHex } from '../parts/hex.js';
import { Json, RawBytes } from '../parts/json.js';
import { Fact, Facts } from '../parts/layout.js';
import { StatusBadge } from '../parts/status.js';
import { counted, grouped } from '../text/format.js';
import { shortName } from '../text/untrusted.js';

/** Number of calls and events of a frame shown at first, and added per click. */
const STEP = 20;
/** Number of levels expanded at first. */
const OPEN_LEVELS = 2;
/** Deeper levels are indented no further, so that they stay readable on narrow screens. */
const INDENTED_LEVELS = 6;

/** A transaction's calls and their events as a tree, in order; deep and long parts expand on request. */
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
  const { kind, method, to, gas_used, status } = frame;
  const steps = frameSteps(frame);
  const { shown, more } = useShown(steps, STEP, stepCounts(frame), 'link-button');
  const name = method === undefined ? kind : shortName(method, 40);
  return (
    <li>
      <div class="call">
        {steps.length > 0 ? (
          <Button
            class="icon-button"
            aria-expanded={open}
            aria-label={`${stepCounts(frame)} of ${name}`}
            onClick={() => setOpen(!open)}
          >
            <span aria-hidden="true">{open ? '▾' : '▸'}</span>
          </Button>
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
        <DetailsButton of={name} isOpen={details} onClick={() => setDetails(!details)} />
      </div>
      {details && <CallDetails frame={frame} />}
      {open && steps.length > 0 && (
        <ul class={level < INDENTED_LEVELS ? 'call-tree' : 'call-tree call-tree-flat'}>
          {shown.map((step, at) =>
            // A call has no identity other than its index.
            'kind' in step ? (
              <CallNode key={at} frame={step} level={level + 1} />
            ) : (
              <EventNode key={at} log={step} />
            ),
          )}
          {more && <li>{more}</li>}
        </ul>
      )}
    </li>
  );
}

/** Such as `2 calls and 1 event`. */
function stepCounts({ calls, logs }: CallFrame): string {
  const counts = [
    ...(calls.length === 0 ? [] : [counted(calls.length, 'call')]),
    ...(logs.length === 0 ? [] : [counted(logs.length, 'event')]),
  ];
  return counts.join(' and ');
}

function EventNode({ log }: { readonly log: FrameLog }) {
  const [details, setDetails] = useState(false);
  const name = eventName(log);
  return (
    <li>
      <div class="call">
        <span class="call-leaf" aria-hidden="true">
          ·
        </span>
        <strong>{name}</strong>
        <span class="muted">
          event of <AddressHex of={log.contract} />
        </span>
        <DetailsButton of={`event ${name}`} isOpen={details} onClick={() => setDetails(!details)} />
      </div>
      {details && (
        <div class="call-details">
          <EventFields of={log} />
        </div>
      )}
    </li>
  );
}

interface DetailsButtonProps {
  readonly of: string;
  readonly isOpen: boolean;
  readonly onClick: () => void;
}

function DetailsButton({ of, isOpen, onClick }: DetailsButtonProps) {
  return (
    <Button class="link-button" aria-expanded={isOpen} aria-label={`Details of ${of}`} onClick={onClick}>
      Details
    </Button>
  );
}

function CallDetails({ frame }: { readonly frame: CallFrame }) {
  const { from, to, method, value, gas_limit, args, input, decoded, output, status } = frame;
  return (
    <div class="call-details">
      <Facts>
        <Fact name="From">
          <AddressHex of={from} copy />
        </Fact>
        <StatusFacts of={status} />
        <AmountFact name="Value" of={value} />
        <Fact name="Gas limit">{grouped(gas_limit)}</Fact>
        <Fact name={args === undefined ? 'Input' : 'Arguments'}>
          {args === undefined ? (
            <RawBytes of={toPrefixedHex(input)} what="input" />
          ) : (
            <Json value={args} contract={to} />
          )}
        </Fact>
        <Fact name="Output">
          {decoded === undefined ? (
            <RawBytes of={toPrefixedHex(output)} what="output" />
          ) : (
            <Json value={decoded} name={method} contract={to} />
          )}
        </Fact>
      </Facts>
    </div>
  );
}
