import { type Client, RpcCallError } from '../../client/client.js';

const NOBODY = new Uint8Array(20);

/**
 * The height of the block with a hash; undefined if the node has no such block. The methods that list blocks take
 * heights only, but a state proof takes a hash. Where the node no longer keeps the block's state, its refusal has the
 * height.
 */
export async function heightOfBlock(node: Client, hash: Uint8Array): Promise<bigint | undefined> {
  try {
    const { header } = await node.state_proof({ contract: NOBODY, at: { type: 'hash', value: hash } });
    return header.height;
  } catch (error) {
    if (!(error instanceof RpcCallError)) throw error;
    if (error.kind === 'not_found') return undefined;
    const { height } = error.data;
    if (error.kind !== 'state_unavailable') throw error;
    if (typeof height === 'number' || typeof height === 'string') return BigInt(height);
    throw error;
  }
}
