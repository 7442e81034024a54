import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { HandshakeGate } from '../../src/network/handshake-gate.js';

const LIMITS = { total: 128, perAddress: 32, handshakesPerSecond: 20, strangersPerSecond: 100 };

function from(remoteAddress: string): Socket {
  return Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
}

/** The number of sockets that the gate lets in, of one each from many addresses of a network. */
function crowd(gate: HandshakeGate, network: string, count = 1_000): number {
  let taken = 0;
  for (let i = 0; i < count; i++) if (gate.enter(from(`${network}.${i >> 8}.${i & 255}`))) taken++;
  return taken;
}

describe('the gate before handshakes', () => {
  test('strangers share a rate, however many addresses they have', () => {
    let nowMs = 0;
    let refused = 0;
    const gate = new HandshakeGate(
      LIMITS,
      () => nowMs,
      () => refused++,
    );
    assert.equal(crowd(gate, '10.1'), 200);
    // 72 more made room for later ones.
    assert.equal(refused, 800 + 72);
    assert.equal(crowd(gate, '10.2'), 0);
    nowMs = 1_000;
    assert.equal(crowd(gate, '10.2'), 100);
    assert.ok(gate.size <= 128);
  });

  test('the last address of an allowed peer is no stranger', () => {
    const gate = new HandshakeGate(
      LIMITS,
      () => 0,
      () => undefined,
    );
    gate.noteAllowed(from('10.9.9.9'), 'a');
    gate.noteAllowed(from('::ffff:10.9.9.8'), 'b');
    crowd(gate, '10.1');
    assert.equal(gate.enter(from('10.9.9.7')), false);
    for (const known of ['::ffff:10.9.9.9', '10.9.9.8']) assert.equal(gate.enter(from(known)), true);
    gate.noteAllowed(from('10.9.9.7'), 'a');
    assert.equal(gate.enter(from('10.9.9.7')), true);
    assert.equal(gate.enter(from('10.9.9.9')), false);
  });

  test('each address has a rate of its own as well', () => {
    const gate = new HandshakeGate(
      LIMITS,
      () => 0,
      () => undefined,
    );
    gate.noteAllowed(from('10.9.9.9'), 'a');
    let taken = 0;
    for (let i = 0; i < 1_000; i++) if (gate.enter(from('10.9.9.9'))) taken++;
    assert.equal(taken, 200);
  });
});
