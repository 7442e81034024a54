import { connect } from '../../src/client/client.js';
import { NodeProcess } from '../../test/support/node-process.js';

/**
 * Starts a node on another node's data directory and times the first call of each contract over HTTP, in
 * milliseconds: the worker reads the contract, compiles it and runs it. An unmeasured call of `first` loads the
 * engine itself before.
 */
export async function coldCalls(
  dataDir: string,
  first: { readonly contract: Uint8Array; readonly input: Uint8Array },
  contracts: readonly Uint8Array[],
): Promise<readonly number[]> {
  const node = await NodeProcess.start({ dataDir });
  try {
    const client = connect(node.url);
    await client.view_call(first);
    const samples: number[] = [];
    for (const contract of contracts) {
      const begin = performance.now();
      const { status } = await client.view_call({ contract, input: new Uint8Array(0) });
      samples.push(performance.now() - begin);
      if (status.type !== 'success') throw new Error(`a large contract ended with ${JSON.stringify(status)}`);
    }
    return samples;
  } finally {
    await node.stop();
    await node.dispose();
  }
}
