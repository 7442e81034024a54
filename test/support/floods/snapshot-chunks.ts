import { RpcClient } from '../../outside/rpc.js';
import { type Flood, rpcBody } from './flood.js';

const CONNECTIONS = 50;
const CALLS = 20;

interface CheckpointList {
  readonly checkpoints: readonly { readonly height: number; readonly chunk_count: number }[];
}

/** Requests batches of 1 MiB chunks of all checkpoints while the node makes further checkpoints. */
export const SNAPSHOT_CHUNKS: Flood = {
  name: 'snapshot-chunks',
  attacks:
    '50 connections send batches of 20 get_snapshot_chunk: scans of the store, and large answers that come whole',
  world: { blocks: 12, transfersABlock: 2_000 },
  nodeFlags: ['--checkpoint-interval', '20'],
  arm: async ({ url }) => {
    const chunks = await chunksOf(url);
    let asked = 0;
    const next = (): string => {
      const calls = Array.from({ length: CALLS }, () =>
        rpcBody('get_snapshot_chunk', chunks[asked++ % chunks.length]),
      );
      return `[${calls.join()}]`;
    };
    return (attack) => attack.keepSending(CONNECTIONS, next);
  },
};

async function chunksOf(url: string): Promise<{ readonly height: number; readonly index: number }[]> {
  const rpc = new RpcClient(url);
  try {
    for (;;) {
      const { checkpoints } = (await rpc.call('list_checkpoints', {})) as CheckpointList;
      const chunks = checkpoints.flatMap(({ height, chunk_count: count }) =>
        Array.from({ length: count }, (_, index) => ({ height, index })),
      );
      if (chunks.length > 1) return chunks;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  } finally {
    rpc.close();
  }
}
