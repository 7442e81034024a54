import type { CompiledInterface } from '../interface/contract-interface.js';
import { decodeCall } from '../interface/decode-call.js';
import type { TokenMethods } from './token-methods.js';

/** Recipient and amount of a transfer of tokens, as its sender asked for them. */
export interface TransferArguments {
  /** 40 hex digits. */
  readonly to: string;
  /** In the token's smallest unit. */
  readonly amount: bigint;
}

/** Reads a transfer from the input of a call; undefined for any other input. */
export function transferArguments(
  compiled: CompiledInterface,
  methods: TokenMethods,
  input: Uint8Array,
): TransferArguments | undefined {
  const decoded = decodeCall(compiled, input);
  if (decoded === undefined) return undefined;
  const names = methods.get(decoded.method);
  if (names === undefined) return undefined;
  const { [names.to]: to, [names.amount]: amount } = decoded.args as Readonly<Record<string, unknown>>;
  if (typeof to !== 'string' || (typeof amount !== 'string' && typeof amount !== 'number')) return undefined;
  return { to: to.slice(2), amount: BigInt(amount) };
}
