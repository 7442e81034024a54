import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { loadBls } from '../../src/crypto/load-bls.js';
import { seal } from '../../src/crypto/sealing/seal.js';
import { sealIdentity } from '../../src/crypto/sealing/seal-identity.js';
import type { EnvelopeToOpen } from '../../src/execution/open-envelopes.js';
import { ledger } from '../../src/ledger/codecs.js';
import { NATIVE_MODES } from '../support/native-modes.js';
import { NodeParts } from '../support/nodes/node-parts.js';
import { spread } from '../support/sweep.js';

const PRIVATE_KEY = new Uint8Array(32).fill(3);
const IDENTITY = sealIdentity(7n, 40n);
const ACTION = ledger.Action.encode({
  type: 'transfer',
  value: { to: new Uint8Array(20).fill(1), amount: 5n },
});

for (const native of spread(NATIVE_MODES, 1)) {
  test(`workers open the envelopes of a height and give the reason for others, --native ${native}`, async (t) => {
    const workers = NodeParts.for(t).execution({ setup: { native }, workers: 1 });
    const bls = await loadBls(native);
    const header = new Uint8Array([1, 2, 3]);
    const envelope = (action: Uint8Array): EnvelopeToOpen => ({
      header,
      ...seal({
        groupPublicKey: bls.publicKey(PRIVATE_KEY),
        identity: IDENTITY,
        header,
        action,
        randomness: randomBytes(64),
      }),
    });
    const good = envelope(ACTION);
    const envelopes = [
      good,
      { ...good, header: new Uint8Array(3) },
      { ...good, v: new Uint8Array(32) },
      { ...good, u: new Uint8Array(48) },
      envelope(new Uint8Array(0)),
      envelope(Uint8Array.from([...ACTION, 0])),
      envelope(Uint8Array.of(250)),
    ];
    const key = bls.sign(IDENTITY, PRIVATE_KEY);
    assert.deepEqual(await workers.run('open_envelopes', { key, envelopes }), [
      { action: ACTION },
      { refused: 'bad_payload' },
      { refused: 'wrong_point' },
      { refused: 'bad_point' },
      { refused: 'no_action' },
      { refused: 'no_action' },
      { refused: 'no_action' },
    ]);
    assert.deepEqual(await workers.run('open_envelopes', { key: key.subarray(1), envelopes: [good] }), [
      { refused: 'bad_key' },
    ]);
    assert.deepEqual(await workers.run('check_points', [good.u, new Uint8Array(48), key]), [
      true,
      false,
      false,
    ]);
  });
}
