import assert from 'node:assert/strict';
import { rawExchange } from './raw-http.js';

const BODY = '{"jsonrpc":"2.0","id":1,"method":"health"}';

/** The status of a request with this Host header; a refusal has to name the option that allows hosts. */
export async function statusOf(url: string, host: string, path = 'POST /v2/rpc'): Promise<number> {
  const body = path.startsWith('POST') ? BODY : '';
  const head = `${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
  const { statuses, text } = await rawExchange(url, head + body, 5_000);
  assert.equal(statuses.length, 1, text);
  if (statuses[0] === 403 && !path.startsWith('HEAD'))
    assert.match(text, /"code":-32002,.*--allowed-hosts.*"kind":"forbidden"/);
  return statuses[0] ?? 0;
}
