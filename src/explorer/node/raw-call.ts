import { nodeUrl, token } from './connection.js';

/**
 * Calls a method and returns its result as parsed by `JSON.parse`, the form that the light-client checks expect.
 * @throws Error with the node's message
 */
export async function rawCall(method: string, params: object): Promise<unknown> {
  const response = await fetch(`${nodeUrl()}/v2/rpc`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token.value !== undefined && { authorization: `Bearer ${token.value}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer = (await response.json()) as {
    readonly result?: unknown;
    readonly error?: { readonly message?: unknown };
  };
  if (answer.result === undefined) throw new Error(String(answer.error?.message ?? 'no result'));
  return answer.result;
}
