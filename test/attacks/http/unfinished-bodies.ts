// Unfinished bodies share one budget; the client that floods the node with them is cut off first.
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { rawConnection } from '../../support/http/raw-http.js';
import { type AttackedNode, withTimeout } from '../../support/nodes/attacked-node.js';

const MIB = 1_048_576;
const BODY_BYTES = 4 * MIB - 1;

function head(length: number): string {
  return `POST /v2/rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
}

/** A call with a body of 1 MiB, in two halves. */
const CALL = `{"jsonrpc":"2.0","id":7,"method":"health","params":{}${' '.repeat(MIB)}}`;

async function answerOf(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) {
    text += String(chunk);
    if (text.includes('"id":7') || text.includes('HTTP/1.1 503')) return text;
  }
  return text;
}

/** @param budgetMiB the node's --max-buffered-bytes, of which the attack sends five quarters of four MiB each */
export function unfinishedBodies(attacked: AttackedNode, budgetMiB: number): void {
  const flood = (5 * budgetMiB) / 4;
  const sockets: Socket[] = [];
  after(() => {
    for (const socket of sockets) socket.destroy();
  });

  test('are held up to the budget; other bodies are unaffected, and cut connections get a reason', async () => {
    const other = await rawConnection(attacked.node.url, '127.0.0.2');
    sockets.push(other);
    other.write(head(CALL.length));
    let sent = CALL.length / 2;
    other.write(CALL.slice(0, sent));
    // An idle connection is closed after a few seconds.
    const trickle = setInterval(() => other.write(CALL.slice(sent, ++sent)), 500);
    const part = Buffer.alloc(BODY_BYTES - 1, ' ');
    let cut = 0;
    let told = 0;
    for (let i = 0; i < flood; i++) {
      const socket = await rawConnection(attacked.node.url);
      sockets.push(socket);
      socket.once('close', () => cut++);
      socket.once('data', (chunk) => {
        if (chunk.toString().startsWith('HTTP/1.1 503')) told++;
      });
      socket.write(head(BODY_BYTES));
      socket.write(part);
      if (i % 8 === 7) await sleep(20);
    }
    const deadline = performance.now() + 15_000;
    while (cut < flood - budgetMiB / 2 && performance.now() < deadline) await sleep(50);
    assert.ok(cut > flood / 2, `${cut} of ${flood} were cut`);
    assert.ok(told > 0, 'some were told that the node is overloaded');
    assert.ok(attacked.memory.peakMiB < 700, `${Math.round(attacked.memory.peakMiB)} MiB`);
    clearInterval(trickle);
    other.write(CALL.slice(sent));
    assert.match(
      await withTimeout(10_000, 'the body of another client is taken', answerOf(other)),
      /^HTTP\/1\.1 200/,
    );
    await attacked.assertSound();
  });

  test('take no more memory than their length, however small their pieces', async () => {
    const before = attacked.memory.residentMiB;
    const small = await Promise.all(Array.from({ length: 20 }, () => rawConnection(attacked.node.url)));
    sockets.push(...small);
    for (const socket of small) socket.write(head(BODY_BYTES));
    for (let i = 0; i < 1_500; i++) {
      for (const socket of small) socket.write('  ');
      if (i % 10 === 0) await sleep(1);
    }
    const grown = attacked.memory.residentMiB - before;
    assert.ok(grown < 150, `${Math.round(grown)} MiB more`);
    await attacked.assertSound();
  });

  test('are forgotten with their connections', async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    const held = async (): Promise<number> => {
      const { body } = await attacked.rpc.http({ path: '/metrics' });
      return Number(/^heddle_rpc_buffered_bytes (\S+)$/m.exec(body.toString())?.[1]);
    };
    const deadline = performance.now() + 10_000;
    while ((await held()) !== 0) {
      assert.ok(performance.now() < deadline, `${await held()} bytes are held`);
      await sleep(50);
    }
    await attacked.assertSound();
  });
}
