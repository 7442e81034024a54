import {
  formatAddress,
  parseAddress,
  RpcCallError,
  type ScriptChain,
  type ScriptContext,
  type Signer,
} from '../../../client/client.js';
import { showValue } from '../../repl/shown-value.js';
import { type DeploymentFolder, expectContractName } from './deployment-folder.js';
import type { ScriptClient } from './script-client.js';
import { readDeployable } from './script-contracts.js';
import type { ScriptFile } from './script-file.js';
import type { ScriptPass } from './script-pass.js';

export interface ContextParts {
  readonly script: ScriptFile;
  readonly client: ScriptClient;
  readonly pass: ScriptPass;
  readonly chain: ScriptChain;
  readonly isDryRun: boolean;
  /** At least one. */
  readonly signers: readonly [Signer, ...Signer[]];
  readonly folder: DeploymentFolder;
  readonly args: readonly string[];
  /** Prints a line. */
  readonly print: (line: string) => void;
  readonly warn: (text: string) => void;
}

/** What one pass over a script gets. */
export function scriptContext(parts: ContextParts): ScriptContext {
  const { script, client, pass, folder, print, warn } = parts;
  const [first, ...others] = parts.signers;
  const sender = client.sender(first);
  const contractAt = (address: Uint8Array) => client.contract(address, { sender });
  return {
    client,
    chain: parts.chain,
    isDryRun: parts.isDryRun,
    args: parts.args,
    sender,
    senders: [sender, ...others.map((signer) => client.sender(signer))],
    deploy: async (name, options = {}) => {
      expectContractName(name);
      const { wasm, idl, sender: by = sender, ...given } = options;
      const { code, idl: text, warning } = await readDeployable(script, name, { wasm, idl });
      if (warning !== undefined) warn(warning);
      const from = client.sender(by.signer, { lane: by.lane });
      return from.deployNamed(name, { ...given, code, ...(text !== undefined && { idl: text }) });
    },
    contract: (address, options = {}) => client.contract(address, { sender, ...options }),
    deployed: async (name) => {
      expectContractName(name);
      const here = pass.performed.findLast(({ step }) => step.type === 'deploy' && step.name === name);
      if (here?.receipt.contract !== undefined) return contractAt(here.receipt.contract);
      const recorded = folder.deployed(name);
      if (recorded === undefined) return undefined;
      const address = parseAddress(recorded.address);
      if (await isContract(client, address)) {
        pass.named(recorded.address, name);
        return contractAt(address);
      }
      warn(
        `${name}: the chain has no contract at ${formatAddress(address)}, where an earlier run deployed it`,
      );
      return undefined;
    },
    log: (...values) =>
      print(values.map((value) => (typeof value === 'string' ? value : showValue(value, false))).join(' ')),
  };
}

async function isContract(client: ScriptClient, address: Uint8Array): Promise<boolean> {
  try {
    await client.contract_metadata({ address });
    return true;
  } catch (error) {
    if (error instanceof RpcCallError && error.kind === 'not_found') return false;
    throw error;
  }
}
