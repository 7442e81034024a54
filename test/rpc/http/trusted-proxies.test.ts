import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNetwork } from '../../../src/config/host.js';
import { TrustedProxies } from '../../../src/rpc/http/trusted-proxies.js';

const proxies = TrustedProxies.of(['127.0.0.1', '10.0.0.0/8', 'fd00::/8']) ?? assert.fail();

test('the client is the last address that no trusted proxy has', () => {
  const cases: readonly (readonly [peer: string, header: string, client: string])[] = [
    ['127.0.0.1', '', '127.0.0.1'],
    ['127.0.0.1', '192.0.2.1', '192.0.2.1'],
    ['127.0.0.1', '198.51.100.7, 192.0.2.1', '192.0.2.1'],
    ['127.0.0.1', '198.51.100.7, 192.0.2.1, 10.1.2.3', '192.0.2.1'],
    ['127.0.0.1', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['192.0.2.9', '198.51.100.7', '192.0.2.9'],
    ['fd00::5', '2001:db8::1', '2001:db8::1'],
    ['127.0.0.1', 'unknown', '127.0.0.1'],
    ['127.0.0.1', '192.0.2.1, for=evil', '127.0.0.1'],
    ['127.0.0.1', '192.0.2.1:4711', '192.0.2.1'],
    ['127.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
    ['127.0.0.1', '::ffff:192.0.2.1', '192.0.2.1'],
    ['127.0.0.1', '::ffff:c000:201', '192.0.2.1'],
    ['127.0.0.1', '192.0.2.1, ::ffff:10.0.0.9', '192.0.2.1'],
    ['127.0.0.1', '::ffff:192.0.2.1%eth0', '127.0.0.1'],
    ['127.0.0.1', '192.0.2.1, fe80::1%a b', '127.0.0.1'],
  ];
  for (const [peer, header, client] of cases) {
    assert.equal(proxies.clientOf(peer, header), client, `${peer} with ${JSON.stringify(header)}`);
  }
});

test('without networks no header is believed', () => {
  assert.equal(TrustedProxies.of([]), undefined);
});

test('networks are addresses, or addresses with a length that fits', () => {
  for (const good of ['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', '0.0.0.0/0'])
    assert.ok(isNetwork(good), good);
  for (const bad of ['', 'host', '10.0.0.0/33', 'fd00::/129', '10.0.0.0/8/8', '10.0.0.0/x', '/8']) {
    assert.ok(!isNetwork(bad), bad);
  }
});
