import { toHex } from '../../idl/hex.js';
import { NativeAmount } from '../amounts/amount.js';
import { AddressHex, Height, Hex } from './hex.js';
import { Fact } from './layout.js';

interface HexFactProps {
  readonly name: string;
  readonly of: Uint8Array;
  readonly copy: string;
}

export function HexFact({ name, of, copy }: HexFactProps) {
  return (
    <Fact name={name}>
      <Hex text={toHex(of)} copy={copy} long />
    </Fact>
  );
}

export function AddressFact({ name, of }: { readonly name: string; readonly of: Uint8Array }) {
  return (
    <Fact name={name}>
      <AddressHex of={of} copy long />
    </Fact>
  );
}

export function HeightFact({ name, of }: { readonly name: string; readonly of: bigint }) {
  return (
    <Fact name={name}>
      <Height of={of} />
    </Fact>
  );
}

export function AmountFact({ name, of }: { readonly name: string; readonly of: bigint }) {
  return (
    <Fact name={name}>
      <NativeAmount of={of} />
    </Fact>
  );
}
