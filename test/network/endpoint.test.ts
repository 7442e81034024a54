import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpointText, parseEndpoint } from '../../src/network/endpoint.js';

for (const [text, host, port] of [
  ['validator-1.example:9700', 'validator-1.example', 9700],
  ['127.0.0.1:1', '127.0.0.1', 1],
  ['[::1]:65535', '::1', 65535],
] as const) {
  test(`${text} is an endpoint`, () => {
    assert.deepEqual(parseEndpoint(text), { host, port });
    assert.equal(endpointText({ host, port }), text);
  });
}

for (const text of [
  '',
  'host',
  '127.0.0.1',
  '::1',
  '[::1]',
  'host:0',
  'host:65536',
  'host:http',
  '*:9700',
  'a b:1',
  '1.2.3:4',
  ':9700',
  'http://host:1',
]) {
  test(`${JSON.stringify(text)} is not an endpoint`, () => {
    assert.throws(() => parseEndpoint(text), { name: 'MeshError', code: 'bad_endpoint' });
  });
}
