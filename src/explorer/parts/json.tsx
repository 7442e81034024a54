import { useState } from 'preact/hooks';
import type { JsonValue } from '../../idl/json-value.js';
import { addressLink } from '../routing/route.js';
import { counted } from '../text/format.js';
import { shortName } from '../text/untrusted.js';
import { CopyButton } from './copy.js';
import { Hex } from './hex.js';
import { LongText } from './text.js';

/** Number of members shown at first, and added per click. */
const STEP = 25;
/** Number of levels expanded at first. */
const OPEN_LEVELS = 3;

/** A decoded value from the chain as a tree; deep and long parts expand on request. */
export function Json({ value, level = 0 }: { readonly value: JsonValue; readonly level?: number }) {
  if (value === null) return <span class="muted">none</span>;
  if (typeof value === 'string') return <Text text={value} />;
  if (typeof value === 'number') return <span class="number">{groupedText(String(value))}</span>;
  if (typeof value === 'boolean') return <span>{String(value)}</span>;
  return <Members of={value} level={level} />;
}

function Text({ text }: { readonly text: string }) {
  if (/^0x[0-9a-f]{40}$/.test(text))
    return <Hex text={text} href={addressLink(text.slice(2))} copy="address" />;
  if (/^(0x)?[0-9a-f]{64,}$/.test(text)) return <Hex text={text} copy="bytes" />;
  if (/^-?\d{1,39}$/.test(text)) return <span class="number">{groupedText(text)}</span>;
  return text === '' ? <span class="muted">empty text</span> : <LongText text={text} max={200} />;
}

function groupedText(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

function Members({ of, level }: { readonly of: Extract<JsonValue, object>; readonly level: number }) {
  const isList = Array.isArray(of);
  const entries: readonly (readonly [string, JsonValue])[] = Object.entries(of);
  const [open, setOpen] = useState(level < OPEN_LEVELS);
  const [shown, setShown] = useState(STEP);
  const size = counted(entries.length, isList ? 'item' : 'member');
  if (entries.length === 0) return <span class="muted">{isList ? 'empty list' : 'empty'}</span>;
  if (!open) {
    return (
      <button type="button" class="link-button" onClick={() => setOpen(true)}>
        Show {size}
      </button>
    );
  }
  return (
    <ul class="json">
      {entries.slice(0, shown).map(([name, member]) => (
        <li key={name}>
          <span class="json-name">{shortName(name)}</span> <Json value={member} level={level + 1} />
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
