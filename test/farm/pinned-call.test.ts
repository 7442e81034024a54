import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pinnedCall } from '../../src/farm/worker/pinned-call.js';
import { rpcMethods } from '../../src/ledger/rpc-codecs.js';

const pin = { height: '7', hash: 'ab'.repeat(32) };
const at = `{"type":"hash","value":"${pin.hash}"}`;
const address = (digit: string): string => `0x${digit.repeat(40)}`;

function params(method: string, text: string, overrides?: string): unknown {
  const call = pinnedCall({ method, params: text }, pin, overrides);
  return JSON.parse(call.params);
}

test('a call sees the block of its job, whatever block it names', () => {
  const given = `{"contract":"${address('1')}","at":{"type":"height","value":7},"gas_limit":9007199254740993}`;
  const { params: text } = pinnedCall({ method: 'view_call', params: given }, pin, undefined);
  assert.equal(text, `{"contract":"${address('1')}","at":${at},"gas_limit":9007199254740993}`);
});

test('parameters under the name of the only parameter are pinned too', () => {
  for (const inner of [
    `{"contract":"${address('1')}"}`,
    `{"contract":"${address('1')}","args":{"args":1}}`,
  ]) {
    const pinned = params('view_call', `{"args":${inner}}`);
    assert.deepEqual(pinned, { ...(JSON.parse(inner) as object), at: JSON.parse(at) });
    assert.doesNotThrow(() => rpcMethods.get('view_call')?.decodeParams(pinned));
  }
});

test('overrides of the run apply below those of the call', () => {
  const run = `[{"address":"${address('a')}","balance":"1"},{"address":"${address('b')}","balance":"2"}]`;
  const own = `[{"address":"${address('A')}","balance":"3"}]`;
  const overrides = (text: string): unknown =>
    (params('view_call', text, run) as { overrides: unknown }).overrides;
  assert.deepEqual(overrides('{}'), JSON.parse(run));
  assert.deepEqual(overrides('{"overrides":[]}'), JSON.parse(run));
  assert.deepEqual(overrides(`{"overrides":${own}}`), [
    { address: address('b'), balance: '2' },
    { address: address('A'), balance: '3' },
  ]);
});

test('the trace of an included transaction has its own state', () => {
  const given = '{"tx_hash":"00"}';
  const call = pinnedCall({ method: 'chain_traceTransaction', params: given }, pin, '[]');
  assert.deepEqual(call, { method: 'chain_traceTransaction', params: given, pin: undefined });
});
