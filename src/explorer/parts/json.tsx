import { useMemo, useState } from 'preact/hooks';
import { toHex } from '../../idl/hex.js';
import type { JsonValue } from '../../idl/json-value.js';
import { counted } from '../text/format.js';
import { shortName } from '../text/untrusted.js';
import { Button, useShown } from './controls.js';
import { CopyButton } from './copy.js';
import { isBrief, openParts, STEP } from './json-plan.js';
import { memberShape, primitiveOf, type Shape, structNameOf, type Variant, variantOf } from './json-shape.js';
import { Scalar, ValueContract } from './scalar.js';

/** Number of members shown of a value before the reader asks for more. */
const BUDGET = 200;
/** The same for each of many values on a page. */
export const SMALL_BUDGET = 50;

/** An object or list. */
type Part = Extract<JsonValue, object>;

interface JsonProps {
  readonly value: JsonValue;
  readonly shape?: Shape | undefined;
  readonly budget?: number | undefined;
  readonly name?: string | undefined;
  readonly contract?: Uint8Array | undefined;
}

/**
 * A decoded value from the chain: a tree, with brief structs and enums on one line. Deep and long parts expand on
 * request.
 * @param shape its type; without one, the text decides between integers, addresses, bytes and strings
 * @param name of the value, such as the function that returned it
 * @param contract that the value comes from, 20 bytes; a token's amounts have its unit
 */
export function Json({ value, shape, budget = BUDGET, name = '', contract }: JsonProps) {
  const open = useMemo(() => openParts(value, budget), [value, budget]);
  return (
    <ValueContract.Provider value={contract && toHex(contract)}>
      <Value value={value} name={name} shape={shape} open={open} isRoot />
    </ValueContract.Provider>
  );
}

interface InLineJsonProps {
  readonly value: JsonValue;
  readonly name: string;
  readonly contract: Uint8Array;
}

/** A decoded value within a line: lists, and objects that are not brief, are cut to a sign. */
export function InLineJson({ value, name, contract }: InLineJsonProps) {
  const open = useMemo(() => openParts(value, SMALL_BUDGET), [value]);
  if (typeof value === 'object' && value !== null && !isBrief(value)) {
    return <span class="muted">{Array.isArray(value) ? '[…]' : '{…}'}</span>;
  }
  return (
    <ValueContract.Provider value={toHex(contract)}>
      <Value value={value} name={name} shape={undefined} open={open} inLine />
    </ValueContract.Provider>
  );
}

/** A contract's error, such as `TooLate(id: 2, at: 1,700)`; a long one as a tree below its name. */
export function DecodedError({ name, args }: { readonly name: string; readonly args: JsonValue }) {
  const open = useMemo(() => openParts(args, BUDGET), [args]);
  return <Tagged name={name} payload={args} shape={undefined} open={open} />;
}

interface ValueProps {
  readonly value: JsonValue;
  readonly name: string;
  readonly shape: Shape | undefined;
  /** Objects and lists that are open at first. */
  readonly open: ReadonlySet<object>;
  /** The whole value: a struct's members have lines of their own, however brief they are. */
  readonly isRoot?: boolean;
  /** Within a line, where buttons would disturb. */
  readonly inLine?: boolean;
}

function Value({ value, name, shape, open, isRoot = false, inLine = false }: ValueProps) {
  if (typeof value !== 'object' || value === null) {
    return <Scalar value={value} name={name} primitive={primitiveOf(shape)} inLine={inLine} />;
  }
  return <Compound of={value} name={name} shape={shape} open={open} isRoot={isRoot} />;
}

type CompoundProps = Omit<ValueProps, 'value' | 'inLine'> & { readonly of: Part };

function Compound({ of, name, shape, open: inherited, isRoot = false }: CompoundProps) {
  const [opened, setOpened] = useState(false);
  // What the reader opens has a budget of its own.
  const open = useMemo(() => (opened ? openParts(of, BUDGET) : inherited), [opened, of, inherited]);
  const size = Object.keys(of).length;
  if (size === 0) return <span class="muted">{Array.isArray(of) ? 'empty list' : 'empty'}</span>;
  if (!open.has(of)) {
    return (
      <Button class="link-button" onClick={() => setOpened(true)}>
        Show {counted(size, Array.isArray(of) ? 'item' : 'member')}
      </Button>
    );
  }
  const variant = variantOf(shape, of);
  if (variant !== undefined) return <Tagged {...variant} open={open} />;
  if (!isRoot && isBrief(of)) return <Line name={structNameOf(shape)} of={of} shape={shape} open={open} />;
  return <Tree of={of} name={name} shape={shape} open={open} />;
}

interface TaggedProps extends Variant {
  readonly open: ReadonlySet<object>;
}

/** A name with what belongs to it, on one line if that is brief. */
function Tagged({ name, payload, shape, open }: TaggedProps) {
  const shown = shortName(name);
  if (payload === null) return <span>{shown}</span>;
  if (typeof payload !== 'object') {
    return (
      <span>
        {shown}(<Value value={payload} name={name} shape={shape} open={open} inLine />)
      </span>
    );
  }
  if (isBrief(payload) && open.has(payload)) {
    return <Line name={shown} of={payload} shape={shape} open={open} />;
  }
  return (
    <>
      {shown} <Compound of={payload} name={name} shape={shape} open={open} isRoot />
    </>
  );
}

/** A brief object: `Line(label: x, count: 2)`. */
function Line({ name, of, shape, open }: Omit<CompoundProps, 'isRoot'>) {
  return (
    <span>
      {name}(
      {Object.entries(of).map(([member, value], at) => (
        <span key={member}>
          {at > 0 && ', '}
          <span class="muted">{shortName(member)}:</span>{' '}
          <Value value={value} name={member} shape={memberShape(shape, of, member)} open={open} inLine />
        </span>
      ))}
      )
    </span>
  );
}

/** The members of an object or list, one a line. */
function Tree({ of, name, shape, open }: Omit<CompoundProps, 'isRoot'>) {
  const isList = Array.isArray(of);
  const entries: readonly (readonly [string, JsonValue])[] = Object.entries(of);
  const all = counted(entries.length, isList ? 'item' : 'member');
  const { shown, more } = useShown(entries, STEP, all, 'link-button');
  return (
    <ul class="json">
      {shown.map(([member, value]) => (
        <li key={member}>
          <span class="json-name">{shortName(member)}</span>{' '}
          <Value
            value={value}
            name={isList ? name : member}
            shape={memberShape(shape, of, member)}
            open={open}
          />
        </li>
      ))}
      {more && <li>{more}</li>}
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
