import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { JsonValue } from '../../idl/json-value.js';
import { INTEGERS } from '../../idl/primitives.js';
import { TokenAmount } from '../amounts/amount.js';
import { isIdentifier, isMoment, isTokenAmount } from '../text/field-names.js';
import { grouped, utc } from '../text/format.js';
import { AddressText, Hex } from './hex.js';
import { LongText } from './text.js';

interface ScalarProps {
  /** Name of the field or function; decides how a number is shown. */
  readonly name: string;
  /** The primitive type; undefined if it is not known. */
  readonly primitive: string | undefined;
}

interface TextProps extends ScalarProps {
  /** Within a line: no buttons that copy, and texts are quoted, so that none can pose as further values. */
  readonly inLine: boolean;
}

/** A decoded value without members. */
export function Scalar({ value, ...of }: TextProps & { readonly value: Exclude<JsonValue, object> | null }) {
  if (value === null) return <span class="muted">none</span>;
  if (typeof value === 'string') return <Text text={value} {...of} />;
  if (typeof value === 'boolean') return <span>{String(value)}</span>;
  if (!Number.isSafeInteger(value)) return <span class="number">{String(value)}</span>;
  return <Integer of={BigInt(value)} name={of.name} primitive={of.primitive} />;
}

function Text({ text, name, primitive, inLine }: TextProps & { readonly text: string }) {
  const isOpen = primitive === undefined || primitive === 'json';
  if (isOpen ? /^0x[0-9a-f]{40}$/.test(text) : primitive === 'address') {
    return <AddressText digits={text.slice(2)} copy={!inLine} />;
  }
  if (isOpen ? /^(0x)?[0-9a-f]{64,}$/.test(text) : /^(hash|bytes)/.test(primitive)) {
    return <Hex text={text} copy={inLine ? undefined : 'bytes'} />;
  }
  // Integers of 128 bits always come as text, and none begins with zeros.
  const isInteger = /^(0|-?[1-9]\d{0,38})$/.test(text);
  if (isInteger && (isOpen || INTEGERS.has(primitive))) {
    return <Integer of={BigInt(text)} name={name} primitive={primitive} />;
  }
  if (text === '') return <span class="muted">empty text</span>;
  const isWord = /^\w+$/.test(text);
  return <LongText text={inLine && !isWord ? JSON.stringify(text) : text} max={200} />;
}

/** An integer; what its name tells decides about separators, a date beside it, and a token's unit. */
function Integer({ of, name, primitive }: ScalarProps & { readonly of: bigint }) {
  const contract = useContext(ValueContract);
  if (isIdentifier(name)) return <span class="number">{String(of)}</span>;
  if (contract !== undefined && of >= 0n && isTokenAmount(name)) {
    return <TokenAmount of={of} contract={contract} />;
  }
  const isTime = (primitive === undefined || primitive === 'u64') && isMoment(name, of);
  return (
    <>
      <span class="number">{grouped(of)}</span>
      {isTime && <span class="muted"> ({utc(of)})</span>}
    </>
  );
}

/** The contract that a decoded value comes from, as 40 hex digits. */
export const ValueContract = createContext<string | undefined>(undefined);
