import { httpTransport } from '../../client/client.js';
import { decodeAnswers, encodeCall } from '../../client/json-rpc.js';
import { fetchWithToken, nodeUrl } from './connection.js';

const TIMEOUT_MS = 30_000;

/**
 * Calls a method and returns its result as parsed by `JSON.parse`, the form that the light-client checks expect.
 * @throws the errors of the client
 */
export async function rawCall(method: string, params: object): Promise<unknown> {
  const call = { id: 1, method, params: JSON.stringify(params) };
  const transport = httpTransport(nodeUrl(), { fetch: fetchWithToken });
  const answer = await transport.request(encodeCall(call), { timeoutMs: TIMEOUT_MS });
  const [outcome] = decodeAnswers([call], answer);
  if (outcome?.ok === true) return outcome.result;
  throw outcome?.error;
}
