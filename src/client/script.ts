import type { AddressLike } from './address-text.js';
import type { Contract, ContractOptions } from './contract.js';
import type { Client } from './rpc-client.js';
import type { DeployOptions } from './send-options.js';
import type { Sender } from './sender.js';

/**
 * What a file for `heddle dev script` exports under the name `run`. It runs once for the dry run and once more for a
 * broadcast.
 *
 * @example
 * const run = async ({ deploy, sender, log }) => {
 *   const counter = await deploy('Counter', { init: { owner: sender.signer.address, start: 1n } });
 *   await counter.call('increment', { by: 4n });
 *   log('it counts', await counter.view('count'));
 * };
 */
export type Script = (context: ScriptContext) => Promise<void>;

/** The chain that a script is for, also during a dry run. */
export interface ScriptChain {
  readonly id: bigint;
  /** 64 lowercase hex digits. */
  readonly genesisHash: string;
  /** The node's RPC endpoint. */
  readonly endpoint: string;
}

/** What a script gets. */
export interface ScriptContext {
  /**
   * Reads from the chain; during a dry run, from a fork with another chain id. Only senders send transactions: there are no
   * bundles and no sealed ones.
   */
  readonly client: Client;
  readonly chain: ScriptChain;
  /** True if nothing is sent to the chain. */
  readonly isDryRun: boolean;
  /** Sends from the first account of the command. Its transactions wait until they are included, and throw if they fail. */
  readonly sender: Sender;
  /** A sender for each account of the command, in order: those of `--key`, then those of `--from-dev`. */
  readonly senders: readonly Sender[];
  /**
   * Deploys a contract and records it.
   * @param name its name in the record, for `deployed`; by default also the name of the project's contract
   * @throws CallFailedError if the deployment fails; ClientError `bad_argument` naming an invalid argument of `init`
   */
  deploy(name: string, options?: ScriptDeployOptions): Promise<Contract>;
  /** A contract at an address, by its interface on chain, which `sender` calls. */
  contract(address: AddressLike, options?: ContractOptions): Contract;
  /**
   * The contract that this run or the newest earlier one deployed on the chain under a name; undefined if there is none.
   */
  deployed(name: string): Promise<Contract | undefined>;
  /** Prints a line, with `--json` on standard error. */
  log(...values: readonly unknown[]): void;
  /** The command's arguments after the file. */
  readonly args: readonly string[];
}

/** Options of a script's deployment. */
export interface ScriptDeployOptions
  extends Pick<
    DeployOptions,
    'init' | 'value' | 'policy' | 'abiVersion' | 'gasLimit' | 'maxFee' | 'priorityFee'
  > {
  /**
   * The compiled contract, relative to the script. Default: that of the project, the nearest folder above the script with
   * a contract.json.
   */
  readonly wasm?: string | URL;
  /** The interface, stored on chain; relative to the script. Default: with `wasm` the .idl beside it, else that of the project. */
  readonly idl?: string | URL;
  /** Default: the first account. */
  readonly sender?: Sender;
}
