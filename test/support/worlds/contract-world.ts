import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContractSandbox, SandboxContract } from '../../../src/contract-sdk/sandbox.js';
import { type ContractAbi, compileContract } from '../../../src/idl/abi/contract-abi.js';
import { compileIdl } from '../../../src/idl/compiler/compile.js';
import { hex } from '../hex.js';
import { packageRoot } from '../package-root.js';

export const CONTRACTS = join(packageRoot(import.meta.url), 'contracts');

export const sha256 = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest();

/** An address in the JSON form of the interfaces. */
export function addressText(of: Uint8Array): string {
  return `0x${hex(of)}`;
}

/** Deploys a compiled example from the folder `contracts` at an address. */
export function deployExample(sandbox: ContractSandbox, name: string, at: Uint8Array): SandboxContract {
  return sandbox.deploy(at, contractCode(name), contractAbi(name));
}

export function contractCode(name: string): Uint8Array {
  return readFileSync(join(CONTRACTS, name, `${name}.wasm`));
}

export function contractAbi(name: string): ContractAbi {
  return abiOf(join(CONTRACTS, name, `${name}.idl`));
}

export function abiOf(path: string): ContractAbi {
  const { manifest } = compileIdl([{ name: path, text: readFileSync(path, 'utf8') }]);
  return compileContract(manifest, sha256);
}

export function bytesOfHex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text.replace(/^0x/, ''), 'hex'));
}

/** The value of a slot as hex, or undefined. */
export function slotText(
  sandbox: ContractSandbox,
  contract: Uint8Array,
  slot: Uint8Array,
): string | undefined {
  const value = sandbox.readStorage(contract, slot);
  return value === undefined ? undefined : hex(value);
}
