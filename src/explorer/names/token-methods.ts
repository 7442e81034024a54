import type { FieldDefinition } from '../../idl/manifest.js';
import { INTEGERS } from '../../idl/primitives.js';
import { type CompiledInterface, decodeCall } from '../interface/contract-interface.js';

/** A method of a token that transfers an amount, with the names of its parameters. */
export interface TransferMethod {
  readonly to: string;
  readonly amount: string;
}

/** The transfers of a token by method. */
export type TokenMethods = ReadonlyMap<string, TransferMethod>;

/**
 * Recognizes a fungible token by its interface: views `decimals` and `symbol`, and a method `transfer` of an address and
 * an amount. An interface says nothing about what the contract does.
 * @returns undefined for any other contract
 */
export function tokenMethodsOf({ definition, types }: CompiledInterface): TokenMethods | undefined {
  const primitive = ({ type, optional }: Pick<FieldDefinition, 'type' | 'optional'>) => {
    const expanded = types.expand(type);
    return optional !== true && expanded.kind === 'primitive' ? expanded.name : undefined;
  };
  const isView = (name: string, accepts: (result: string) => boolean) =>
    definition.functions.some((each) => {
      const result = each.returns === undefined ? undefined : primitive({ type: each.returns });
      const isAsked = each.name === name && each.kind === 'view' && each.params.length === 0;
      return isAsked && result !== undefined && accepts(result);
    });
  if (!isView('decimals', (result) => INTEGERS.has(result))) return undefined;
  if (!isView('symbol', (result) => result === 'string')) return undefined;
  const methods = new Map<string, TransferMethod>();
  for (const { name, kind, params } of definition.functions) {
    if (kind !== 'method' || (name !== 'transfer' && name !== 'transfer_from')) continue;
    const owners = name === 'transfer' ? 1 : 2;
    const amount = params[owners];
    const addresses = params.slice(0, owners);
    const isTransfer =
      params.length === owners + 1 && addresses.every((param) => primitive(param) === 'address');
    if (!isTransfer || amount === undefined || !INTEGERS.has(primitive(amount) ?? '')) continue;
    const to = addresses.at(-1);
    if (to !== undefined) methods.set(name, { to: to.name, amount: amount.name });
  }
  return methods.has('transfer') ? methods : undefined;
}

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
