import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContractSandbox, SandboxContract } from '../../../src/contract-sdk/sandbox.js';
import { abiOf, CONTRACTS } from '../worlds/contract-world.js';

/** The contract through which the tests examine the SDK. */
export const PROBE_FOLDER = join(CONTRACTS, 'testing', 'probe');

export const probeAbi = abiOf(join(PROBE_FOLDER, 'probe.idl'));

export function deployProbe(sandbox: ContractSandbox, at: Uint8Array): SandboxContract {
  return sandbox.deploy(at, readFileSync(join(PROBE_FOLDER, 'probe.wasm')), probeAbi);
}
