import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { abiOf, CONTRACTS, type ContractWorld, DeployedContract } from './contract-world.js';

/** The contract that the tests look through the SDK with. */
export const PROBE_FOLDER = join(CONTRACTS, 'testing', 'probe');

export const probeAbi = abiOf(join(PROBE_FOLDER, 'probe.idl'));

export function deployProbe(world: ContractWorld, at: Uint8Array): DeployedContract {
  return new DeployedContract(world, probeAbi, readFileSync(join(PROBE_FOLDER, 'probe.wasm')), at);
}
