import { sha256 } from '@noble/hashes/sha2.js';
import { AbiError } from '../../idl/abi/abi-context.js';
import { type ContractAbi, compileContract } from '../../idl/abi/contract-abi.js';
import { compileIdl } from '../../idl/compiler/compile.js';
import { IdlError } from '../../idl/compiler/diagnostics.js';
import type { JsonValue } from '../../idl/json-value.js';
import type { ContractDefinition, Manifest } from '../../idl/manifest.js';
import { TypeTable } from '../../idl/type-table.js';
import { tryDecode } from '../../ledger/contract-decoding.js';

/** A contract's interface, ready for forms and codecs. */
export interface CompiledInterface {
  readonly manifest: Manifest;
  readonly definition: ContractDefinition;
  readonly types: TypeTable;
  readonly abi: ContractAbi;
}

/** The node's size limit for interfaces on chain, in bytes; compiling a longer text could be slow. */
const MAX_CHARACTERS = 64 * 1024;

export type Compilation =
  | { readonly ok: true; readonly compiled: CompiledInterface }
  | { readonly ok: false; readonly message: string };

/** Compiles the text of an interface, which is untrusted. */
export function compileInterface(text: string): Compilation {
  if (text.length > MAX_CHARACTERS) {
    return { ok: false, message: 'The interface is longer than the chain allows.' };
  }
  try {
    const { manifest } = compileIdl([{ name: 'contract.idl', text }]);
    const abi = compileContract(manifest, sha256);
    const definition = manifest.contracts[0];
    if (definition === undefined) return { ok: false, message: 'The interface declares no contract.' };
    return { ok: true, compiled: { manifest, definition, abi, types: new TypeTable(manifest) } };
  } catch (error) {
    if (error instanceof IdlError || error instanceof AbiError) return { ok: false, message: error.message };
    throw error;
  }
}

/** A call's input by the contract's interface. */
export interface DecodedCall {
  readonly method: string;
  readonly args: JsonValue;
}

/** Decodes the input of a call; undefined if it does not match the interface: its sender chose it. */
export function decodeCall({ abi }: CompiledInterface, input: Uint8Array): DecodedCall | undefined {
  const called = abi.functionOf(input);
  if (called === undefined) return undefined;
  return tryDecode(() => ({ method: called.name, args: called.decodeCall(input) }));
}
