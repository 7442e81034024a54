import { NodeProcess } from '../../../test/support/nodes/node-process.js';
import { startBareServer } from '../../load/bare-server.js';
import { RPC_PATH } from '../../load/request-task.js';
import { processTree } from '../../support/process-tree.js';
import { EthereumNode, type EthereumNodeOptions } from '../ethereum/ethereum-node.js';
import type { EthereumProgram } from '../ethereum/program.js';

/** Name of the server that shows the least processor time of a request. */
export const BARE = 'bare uWebSockets.js';

/** A server under measurement. */
export interface Contestant {
  /** The name of a baseline, or `heddle`. */
  readonly name: 'heddle' | 'anvil' | 'ganache' | typeof BARE;
  readonly url: string;
  /** Path of JSON-RPC. */
  readonly path: string;
  /** All its processes. */
  pids(): readonly number[];
}

export function heddleContestant(node: NodeProcess): Contestant {
  return { name: 'heddle', url: node.url, path: RPC_PATH, pids: () => processTree(node.pid) };
}

export function ethereumContestant(node: EthereumNode): Contestant {
  return { name: node.kind, url: node.url, path: '/', pids: () => node.pids };
}

/** Heddle and the installed nodes, all running. A node without work takes no processor time. */
export interface RunningNodes {
  readonly heddle: NodeProcess;
  readonly ethereum: readonly EthereumNode[];
  stop(): Promise<void>;
}

export async function startNodes(
  programs: readonly EthereumProgram[],
  flags: readonly string[],
  options?: EthereumNodeOptions,
): Promise<RunningNodes> {
  const heddle = await NodeProcess.start({ flags });
  const ethereum: EthereumNode[] = [];
  const stop = async (): Promise<void> => {
    for (const node of ethereum) node.stop();
    await heddle.dispose();
  };
  try {
    for (const program of programs) ethereum.push(await EthereumNode.start(program, options));
  } catch (error) {
    await stop();
    throw error;
  }
  return { heddle, ethereum, stop };
}

/** Starts the bare server. @param result the JSON that it gives as the result of every call */
export async function startBare(result: string): Promise<Contestant & { stop(): void }> {
  const server = await startBareServer(result);
  return {
    name: BARE,
    url: server.url,
    path: RPC_PATH,
    pids: () => processTree(server.pid),
    stop: server.stop,
  };
}
