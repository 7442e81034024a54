// Certificates and finality proofs of a node, checked with @noble/curves alone and with blst alone.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AuditedNode } from '../audited-node.js';
import { equal, hex, sha256 } from '../bytes.js';
import { FinalityProof, finalityFault, LightClientContext } from '../finality.js';
import { blockHash, ValidatorSet } from '../ledger-shapes.js';
import { RpcFailure } from '../rpc.js';
import { bytes, encode, list, string, struct, u8, u32, u64, u128 } from '../shapes.js';
import { SIGNATURE_CHECKS } from '../signature-checks.js';

/** The development chain's key, as its documentation prints it. */
const DEV_GROUP_KEY = new Uint8Array(
  Buffer.from(
    '978b0f0afe1254ae38cd6d8caf521b518b55f7b448cbb8528144f69afd358e2ae274916eb241d13775cd255f29ee027f',
    'hex',
  ),
);

const EpochKey = struct({
  epoch: u64,
  scheme: string,
  public_key: bytes,
  quorum: u32,
  first_height: u64,
  last_height: u64,
  next_open_height: u64,
  slot_price: u128,
  free_slots: list(u8),
});

export function auditFinality(world: () => AuditedNode): void {
  describe('its finality', () => {
    test('every height has a finality proof that any BLS library accepts', async () => {
      assert.ok(world().tip >= 6, `${world().tip}`);
      let parent: Uint8Array = new Uint8Array(32);
      for (let height = 0; height <= world().tip; height++) {
        const proof = FinalityProof.fromJson(
          await world().rpc.call('finality_proof', { height }),
          'finality_proof',
        );
        assert.equal(proof.header.height, BigInt(height));
        assert.ok(equal(proof.header.parent_hash, parent));
        for (const { check } of SIGNATURE_CHECKS)
          assert.equal(finalityFault(proof, DEV_GROUP_KEY, check), undefined);
        parent = blockHash(proof.header);
      }
    });

    test('a light client has its context, at the tip and at any height', async () => {
      const genesis = FinalityProof.fromJson(
        await world().rpc.call('finality_proof', { height: 0 }),
        'genesis',
      );
      for (const params of [{}, { height: 3 }, { height: 0 }]) {
        const answer = await world().rpc.call('light_client_context', params);
        const context = LightClientContext.fromJson(answer, 'light_client_context');
        assert.equal(finalityFault(context, DEV_GROUP_KEY), undefined);
        assert.equal(context.header.height, BigInt(params.height ?? world().tip));
        assert.equal(context.signing_domain, 'heddle/finalize/1');
        assert.equal(context.epoch, context.header.epoch);
        assert.equal(context.chain_id, context.header.chain_id);
        assert.equal(hex(context.genesis_hash), hex(blockHash(genesis.header)));
        const set = sha256(encode(ValidatorSet, context.validator_set));
        assert.equal(hex(set), hex(context.header.validators_hash));
        assert.equal(context.history.height, context.header.height);
        assert.equal(hex(context.history.root), hex(context.header.history_root));
      }
    });

    test('the sealing key is the certificate key', async () => {
      const key = EpochKey.fromJson(await world().rpc.call('get_epoch_key'), 'get_epoch_key');
      assert.ok(equal(key.public_key, DEV_GROUP_KEY));
      const { next_open_height: _, slot_price: price, free_slots: free, ...rest } = key;
      assert.deepEqual(rest, {
        epoch: 0n,
        scheme: 'bls12381-ibe-1',
        public_key: key.public_key,
        quorum: 1,
        first_height: 1n,
        last_height: 10_000n,
      });
      assert.equal(key.next_open_height, BigInt(world().tip) + 3n);
      // At base fee 1 without sealed transactions.
      assert.equal(price, 2_000_000n);
      assert.deepEqual(
        free,
        Array.from({ length: 64 }, () => 16),
      );
    });

    test('future heights are refused with the reason', async () => {
      for (const [method, params] of [
        ['finality_proof', { height: world().tip + 1 }],
        ['light_client_context', { height: world().tip + 1 }],
        ['get_epoch_key', { epoch: 1 }],
      ] as const) {
        await assert.rejects(
          world().rpc.call(method, params),
          (error) => error instanceof RpcFailure && error.data.kind === 'not_found',
          method,
        );
      }
    });
  });
}
