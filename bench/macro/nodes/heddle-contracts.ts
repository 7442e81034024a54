import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sender } from '../../../src/client/client.js';
import {
  type ContractArguments,
  encodeCall,
  parseInterface,
} from '../../../src/client/contract-interface.js';
import { packageRoot } from '../../../src/config/package-info.js';

/** Enough for 256 KiB of code. */
const DEPLOY = { gasLimit: 100_000_000n, maxFee: 100_000_000_000n };

/** A contract of `contracts/` on a node. */
export interface DeployedContract {
  /** 20 bytes. */
  readonly address: Uint8Array;
  readonly code: Uint8Array;
  /** The input of a call: four selector bytes and the arguments in Borsh. */
  input(method: string, args: ContractArguments): Uint8Array;
}

/** Deploys a contract of `contracts/`, with arguments for its `init` if it has one. */
export async function deployExample(
  sender: Sender,
  name: string,
  init?: ContractArguments,
): Promise<DeployedContract> {
  const folder = join(packageRoot(), 'contracts', name);
  const idl = readFileSync(join(folder, `${name}.idl`), 'utf8');
  const code = Uint8Array.from(readFileSync(join(folder, `${name}.wasm`)));
  const { contract } = await sender.deploy({ code, idl, ...(init !== undefined && { init }), ...DEPLOY });
  const abi = parseInterface(idl);
  return { address: contract.address, code, input: (method, args) => encodeCall(abi, method, args) };
}

/** Deploys code without an interface. */
export async function deployCode(sender: Sender, code: Uint8Array): Promise<Uint8Array> {
  const { contract } = await sender.deploy({ code, ...DEPLOY });
  return contract.address;
}
