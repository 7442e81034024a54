import { httpTransport } from '../../client/client.js';
import { decodeAnswers, encodeCall } from '../../client/json-rpc.js';
import type { BlockHeader } from '../../generated/ledger.js';
import { fetchWithToken, nodeUrl } from './connection.js';

export interface CheckedBlock {
  readonly header: BlockHeader;
  /** 32 bytes. */
  readonly hash: Uint8Array;
}

/**
 * Fetches the finality proof of a block and verifies it in this page, as `heddle/verify` does.
 * @param groupPublicKey the trusted key, 48 bytes as hex digits
 * @throws VerifyError naming the failed check
 */
export async function checkFinality(
  height: bigint,
  groupPublicKey: string,
  chainId: bigint,
): Promise<CheckedBlock> {
  const [{ verifyHeader }, answer] = await Promise.all([
    // The pairing code is large, and most visits do not need it.
    import('../../proofs/verify/certificate.js'),
    rawCall('finality_proof', { height: jsonHeight(height) }),
  ]);
  const block = verifyHeader(answer, { groupPublicKey, chainId });
  if (block.header.height !== height) {
    throw new Error(`The node proved block ${block.header.height} instead of ${height}.`);
  }
  return block;
}

function jsonHeight(height: bigint): number | string {
  return height <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(height) : height.toString();
}

const TIMEOUT_MS = 30_000;

/** Calls a method; its result is as parsed by `JSON.parse`, the form that the light-client checks expect. */
async function rawCall(method: string, params: object): Promise<unknown> {
  const call = { id: 1, method, params: JSON.stringify(params) };
  const transport = httpTransport(nodeUrl(), { fetch: fetchWithToken });
  const answer = await transport.request(encodeCall(call), { timeoutMs: TIMEOUT_MS });
  const [outcome] = decodeAnswers([call], answer);
  if (outcome?.ok === true) return outcome.result;
  throw outcome?.error;
}
