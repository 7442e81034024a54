import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { countClients, tcpCensus } from '../../../../src/rpc/http/native/tcp-census.js';

const HEAD =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const line = (local: string, remote: string, inode = 7) =>
  `   1: ${local} ${remote} 01 00000000:00000000 00:00000000 00000000     0        0 ${inode} 1 0 100 0 0 10 0\n`;

test('connections to the port are counted by client, IPv6 addresses by network', () => {
  const counts = new Map<string, number>();
  const table = [
    HEAD,
    line('00000000:2549', '00000000:0000'),
    line('0100007F:2549', '0200007F:9CEB'),
    line('0100007F:2549', '0200007F:9CEC'),
    line('0100007F:2549', '0300007F:9CEC', 0),
    line('0200007F:9CEB', '0100007F:2549'),
    line('0100007F:254A', '0400007F:9CEB'),
  ];
  countClients(table.join(''), 0x2549, counts);
  const table6 = [
    HEAD,
    line('00000000000000000000000001000000:2549', 'B80D0120000007000000000001000000:9CEB'),
    line('00000000000000000000000001000000:2549', 'B80D0120000007000000000002000000:9CEB'),
    line('0000000000000000FFFF00000100007F:2549', '0000000000000000FFFF00000200007F:9CEB'),
  ];
  countClients(table6.join(''), 0x2549, counts);
  assert.deepEqual(
    [...counts],
    [
      ['127.0.0.2', 3],
      ['2001:db8:7:0', 2],
    ],
  );
});

test('a census of real connections is complete', {
  skip: !existsSync('/proc/self/net/tcp') && 'no /proc/self/net/tcp',
}, async () => {
  const server = createServer((socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const accepted: Socket[] = [];
  server.on('connection', (socket) => accepted.push(socket));
  const sockets = await Promise.all(
    ['127.0.0.2', '127.0.0.2', '127.0.0.3'].map(
      (localAddress) =>
        new Promise<Socket>((resolve) => {
          const socket = connect({ port, host: '127.0.0.1', localAddress }, () => resolve(socket));
        }),
    ),
  );
  while (accepted.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(
    await tcpCensus(port),
    new Map([
      ['127.0.0.2', 2],
      ['127.0.0.3', 1],
    ]),
  );
  for (const socket of [...sockets, ...accepted]) socket.destroy();
  server.close();
});
