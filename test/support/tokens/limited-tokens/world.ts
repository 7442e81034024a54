import { after, before } from 'node:test';
import { RpcClient } from '../../../outside/rpc.js';
import { nodeStatus } from '../../../outside/traffic.js';
import { deployCompute } from '../../contracts/compute-calls.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../../nodes/node-process.js';
import { issueToken } from '../issue-token.js';

/** A node that takes calls of tokens with limits. */
export interface LimitedTokenWorld {
  readonly url: string;
  readonly dataDir: string;
  readonly chainId: bigint;
  /** The contract `compute`. */
  readonly contract: string;
}

/** Starts a node before the tests of a suite. @returns the world, for the tests */
export function withLimitedTokens(threads: number): () => LimitedTokenWorld {
  const dataDir = temporaryDirectory();
  let node: NodeProcess;
  let world: LimitedTokenWorld;
  before(async () => {
    node = await NodeProcess.start({
      dataDir,
      flags: [
        ...['--front-threads', `${threads}`, '--seal', 'instant', '--idle-block-time', '0'],
        // So that an endless call runs into its limit of time.
        ...['--max-call-gas', '100000000000'],
      ],
    });
    const { url } = node;
    const open = new RpcClient(url);
    const { chain_id: chainId } = await nodeStatus(open);
    open.close();
    world = { url, dataDir, chainId, contract: await deployCompute(url) };
  });
  after(async () => {
    await node?.stop();
    removeDirectory(dataDir);
  });
  return () => world;
}

/** A client with a token of its own. */
export async function clientWith(world: LimitedTokenWorld, ...flags: readonly string[]): Promise<RpcClient> {
  return new RpcClient(world.url, (await issueToken(world.dataDir, ...flags)).token);
}
