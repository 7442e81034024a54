import { toHex } from '../../idl/hex.js';
import { addressLink, blockLink, transactionLink } from '../routing/route.js';
import { grouped, shortened } from '../text/format.js';
import { CopyButton } from './copy.js';
import { NameChip } from './name-chip.js';

/** Numbers of characters shown at the start and end of a shortened value. */
type Ends = readonly [head: number, tail: number];

const SHORT: Ends = [7, 5];
const LONG: Ends = [14, 12];

interface HexProps {
  /** The full value, as copied. */
  readonly text: string;
  /** Name of the value for the copy button; absent to show none. */
  readonly copy?: string | undefined;
  readonly href?: string | undefined;
  readonly long?: boolean | undefined;
}

/** Hex digits, shortened in the middle; long ones in full on wide screens. */
export function Hex({ text, copy, href, long = false }: HexProps) {
  const [head, tail] = long ? LONG : SHORT;
  const short = shortened(text, head, tail);
  const digits = long ? (
    <>
      <span class="hex-short">{short}</span>
      <span class="hex-full">{text}</span>
    </>
  ) : (
    short
  );
  return (
    <span class="hex">
      {href === undefined ? (
        <span class="mono" title={text}>
          {digits}
        </span>
      ) : (
        <a class="mono" href={href} title={text}>
          {digits}
        </a>
      )}
      {copy !== undefined && <CopyButton text={text} what={copy} />}
    </span>
  );
}

interface BytesProps {
  readonly copy?: boolean | undefined;
  readonly long?: boolean | undefined;
}

export function AddressHex({ of, copy, long }: BytesProps & { readonly of: Uint8Array }) {
  return <AddressText digits={toHex(of)} copy={copy} long={long} />;
}

/** An address as a link, after what is known of it. @param digits 40 hex digits */
export function AddressText({ digits, copy, long }: BytesProps & { readonly digits: string }) {
  return (
    <span class="address">
      <NameChip of={digits} />
      <Hex text={`0x${digits}`} href={addressLink(digits)} copy={copy ? 'address' : undefined} long={long} />
    </span>
  );
}

export function TransactionHex({ of, copy, long }: BytesProps & { readonly of: Uint8Array }) {
  const digits = toHex(of);
  return (
    <Hex
      text={digits}
      href={transactionLink(digits)}
      copy={copy ? 'transaction hash' : undefined}
      long={long}
    />
  );
}

/** A height that links to its block. */
export function Height({ of }: { readonly of: bigint }) {
  return (
    <a class="number" href={blockLink(of)}>
      {grouped(of)}
    </a>
  );
}
