import { useMemo, useState } from 'preact/hooks';
import type { JsonValue } from '../../idl/json-value.js';
import { INTEGERS } from '../../idl/primitives.js';
import { addressLink } from '../routing/route.js';
import { counted } from '../text/format.js';
import { shortName } from '../text/untrusted.js';
import { CopyButton } from './copy.js';
import { Hex } from './hex.js';
import { openParts, STEP } from './json-plan.js';
import { memberShape, primitiveOf, type Shape } from './json-shape.js';
import { LongText } from './text.js';

/** Number of members shown of a value before the reader asks for more. */
const BUDGET = 200;
/** The same for each of many values on a page. */
export const SMALL_BUDGET = 50;

/**
 * A decoded value from the chain as a tree; deep and long parts expand on request.
 * @param shape its type; without one, the text decides between integers, addresses, bytes and strings
 */
export function Json({
  value,
  shape,
  budget = BUDGET,
}: {
  readonly value: JsonValue;
  readonly shape?: Shape | undefined;
  readonly budget?: number;
}) {
  const open = useMemo(() => openParts(value, budget), [value, budget]);
  return <Value value={value} shape={shape} open={open} />;
}

interface ValueProps {
  readonly value: JsonValue;
  readonly shape: Shape | undefined;
  /** Objects and lists that are open at first. */
  readonly open: ReadonlySet<object>;
}

function Value({ value, shape, open }: ValueProps) {
  if (value === null) return <span class="muted">none</span>;
  if (typeof value === 'string') return <Text text={value} primitive={primitiveOf(shape)} />;
  if (typeof value === 'number') return <span class="number">{groupedText(String(value))}</span>;
  if (typeof value === 'boolean') return <span>{String(value)}</span>;
  return <Members of={value} shape={shape} open={open} />;
}

function Text({ text, primitive }: { readonly text: string; readonly primitive: string | undefined }) {
  const isOpen = primitive === undefined || primitive === 'json';
  if (isOpen ? /^0x[0-9a-f]{40}$/.test(text) : primitive === 'address') {
    return <Hex text={text} href={addressLink(text.slice(2))} copy="address" />;
  }
  if (isOpen ? /^(0x)?[0-9a-f]{64,}$/.test(text) : /^(hash|bytes)/.test(primitive)) {
    return <Hex text={text} copy="bytes" />;
  }
  // Integers of 128 bits always come as text, and none begins with zeros.
  if (isOpen ? /^(0|-?[1-9]\d{0,38})$/.test(text) : INTEGERS.has(primitive)) {
    return <span class="number">{groupedText(text)}</span>;
  }
  return text === '' ? <span class="muted">empty text</span> : <LongText text={text} max={200} />;
}

function groupedText(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

function Members({
  of,
  shape,
  open: inherited,
}: Omit<ValueProps, 'value'> & { readonly of: Extract<JsonValue, object> }) {
  const isList = Array.isArray(of);
  const entries: readonly (readonly [string, JsonValue])[] = Object.entries(of);
  const [opened, setOpened] = useState(false);
  const [shown, setShown] = useState(STEP);
  // What the reader opens has a budget of its own.
  const open = useMemo(() => (opened ? openParts(of, BUDGET) : inherited), [opened, of, inherited]);
  const size = counted(entries.length, isList ? 'item' : 'member');
  if (entries.length === 0) return <span class="muted">{isList ? 'empty list' : 'empty'}</span>;
  if (!open.has(of)) {
    return (
      <button type="button" class="link-button" onClick={() => setOpened(true)}>
        Show {size}
      </button>
    );
  }
  return (
    <ul class="json">
      {entries.slice(0, shown).map(([name, member]) => (
        <li key={name}>
          <span class="json-name">{shortName(name)}</span>{' '}
          <Value value={member} shape={memberShape(shape, of, name)} open={open} />
        </li>
      ))}
      {entries.length > shown && (
        <li>
          <button type="button" class="link-button" onClick={() => setShown(shown + STEP)}>
            Show more of {size}
          </button>
        </li>
      )}
    </ul>
  );
}

/** Raw bytes: size, first bytes, and a button that copies all of them. */
export function RawBytes({ of, what }: { readonly of: string; readonly what: string }) {
  const bytes = (of.length - 2) / 2;
  if (bytes === 0) return <span class="muted">none</span>;
  return (
    <>
      <span class="mono break">{of.length > 130 ? `${of.slice(0, 130)}…` : of}</span>{' '}
      <span class="muted">({counted(bytes, 'byte')})</span>
      <CopyButton text={of} what={what} />
    </>
  );
}
