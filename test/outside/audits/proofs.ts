// State and history proofs, at the tip and at old heights, also after kill -9.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { AuditedNode } from '../audited-node.js';
import { be64, hex, sha256 } from '../bytes.js';
import { Certificate, HistoryRoot } from '../finality.js';
import { BlockHeader, blockHash } from '../ledger-shapes.js';
import { RpcFailure } from '../rpc.js';
import { bytes, hash, list, optional, struct, u32, u64, type ValueOf } from '../shapes.js';
import { newWallets } from '../traffic.js';
import { accountKey, peakFromHistoryProof, rootFromKeyProof, slotKey } from '../trees.js';

const TreeProof = struct({
  key: hash,
  value: optional(bytes),
  depth: u32,
  bitmap: bytes,
  siblings: list(hash),
  neighbour: optional(struct({ key: hash, value_hash: hash })),
});
const StateProofResult = struct({
  header: BlockHeader,
  account: TreeProof,
  slot: optional(TreeProof),
  certificate: optional(Certificate),
  descendants: list(BlockHeader),
});
const HistoryRootResult = struct({
  history: HistoryRoot,
  header: BlockHeader,
  certificate: optional(Certificate),
  descendants: list(BlockHeader),
});
const HistoryProofResult = struct({
  leaf_index: u64,
  block_hash: hash,
  path: list(hash),
  peaks: list(hash),
  size: u64,
  root: hash,
});

const atHeight = (height: number) => ({ type: 'height', value: height });
const SLOT = new Uint8Array(32);

export function auditProofs(world: () => AuditedNode): void {
  describe('its state and history proofs', () => {
    let tip = 0;
    const addresses: Uint8Array[] = [];
    let counter = new Uint8Array(20);
    before(() => {
      ({ tip } = world());
      counter = Uint8Array.from(world().counters[0] ?? assert.fail());
      const others = newWallets(4, 'nobody').map(({ address }) => address);
      addresses.push(counter, ...world().auditor.model.addresses(), ...others);
    });

    const headerAt = (height: number): BlockHeader =>
      world().headers[height] ?? assert.fail(`no block ${height}`);

    function checkKey(proof: ValueOf<typeof TreeProof>, key: Uint8Array, height: number): void {
      const at = `key ${hex(key)} at height ${height}`;
      assert.equal(hex(proof.key), hex(key), at);
      assert.equal(hex(rootFromKeyProof(proof)), hex(headerAt(height).state_root), at);
      assert.equal(proof.value && hex(proof.value), world().states[height]?.get(hex(key)), at);
    }

    async function checkAccount(address: Uint8Array, height: number, at: unknown): Promise<void> {
      const params = { contract: `0x${hex(address)}`, slot: hex(SLOT), at };
      const answer = StateProofResult.fromJson(await world().rpc.call('state_proof', params), 'state_proof');
      assert.equal(hex(blockHash(answer.header)), hex(blockHash(headerAt(height))));
      checkKey(answer.account, accountKey(address), height);
      assert.ok(answer.slot !== undefined);
      checkKey(answer.slot, slotKey(address, SLOT), height);
    }

    test('every account and slot is proved at the tip, however the block is named', async () => {
      for (const address of addresses) await checkAccount(address, tip, { type: 'latest' });
      const named = [
        { type: 'finalized' },
        atHeight(tip),
        { type: 'hash', value: hex(blockHash(headerAt(tip))) },
      ];
      for (const at of named) await checkAccount(counter, tip, at);
    });

    test('old heights are proved as the state was then, in any order', async () => {
      const heights = Array.from({ length: tip }, (_, height) => height);
      assert.ok(heights.length >= 30, `${heights.length} blocks`);
      for (const height of [...heights.filter((h) => h % 3 === 0), ...heights.reverse()]) {
        await checkAccount(counter, height, atHeight(height));
        const some = addresses[(height * 7) % addresses.length] ?? counter;
        await checkAccount(some, height, atHeight(height));
      }
    });

    test('the value of the counter differs between heights', () => {
      const key = hex(slotKey(counter, SLOT));
      assert.ok(new Set(world().states.map((state) => state.get(key))).size > 20);
    });

    test('old heights are proved after kill -9 too', async () => {
      await world().stop('SIGKILL');
      await world().startAgain();
      for (let height = tip; height >= 0; height -= 4) {
        for (const address of addresses.slice(0, 5)) await checkAccount(address, height, atHeight(height));
      }
    });

    test('every block is proved in the history of every tenth size', async () => {
      for (let leaves = 1; leaves <= tip; leaves += leaves < 10 ? 1 : 10) {
        const root = HistoryRootResult.fromJson(
          await world().rpc.call('finalized_history_root', { height: leaves }),
          'finalized_history_root',
        );
        const { history } = root;
        assert.equal(hex(blockHash(root.header)), hex(blockHash(headerAt(leaves))));
        assert.equal(history.height, BigInt(leaves));
        assert.equal(hex(history.root), hex(headerAt(leaves).history_root));
        assert.equal(hex(sha256(be64(history.size), ...history.peaks)), hex(history.root));
        for (let height = 0; height < leaves; height++) {
          const params = { height, at_size: Number(history.size) };
          const answer = await world().rpc.call('finalized_history_proof', params);
          const proof = HistoryProofResult.fromJson(answer, 'finalized_history_proof');
          assert.equal(proof.leaf_index, BigInt(height));
          assert.equal(hex(proof.block_hash), hex(blockHash(headerAt(height))));
          assert.equal(hex(proof.root), hex(history.root));
          assert.equal(hex(sha256(be64(proof.size), ...proof.peaks)), hex(history.root));
          const peak = hex(peakFromHistoryProof(proof));
          assert.ok(proof.peaks.map(hex).includes(peak), `block ${height} of ${leaves} leads to no peak`);
        }
      }
    });

    test('without a height or size both history methods answer for the last final block', async () => {
      const root = HistoryRootResult.fromJson(await world().rpc.call('finalized_history_root'), 'root');
      assert.equal(root.history.height, BigInt(tip));
      const proof = HistoryProofResult.fromJson(
        await world().rpc.call('finalized_history_proof', { height: 1 }),
        'proof',
      );
      assert.equal(hex(proof.root), hex(root.history.root));
    });

    test('unprovable requests are refused with the reason', async () => {
      const refused = async (
        method: string,
        params: object,
        kind: string,
        message: RegExp,
      ): Promise<void> => {
        await assert.rejects(world().rpc.call(method, params), (error: unknown) => {
          assert.ok(error instanceof RpcFailure);
          assert.equal(error.data.kind, kind);
          assert.match(error.message, message);
          if (kind === 'state_unavailable') {
            assert.deepEqual([error.data['oldest'], error.data['newest']], [0, tip]);
          }
          return true;
        });
      };
      const contract = `0x${hex(counter)}`;
      const state = (at: unknown) => ({ contract, at });
      await refused(
        'state_proof',
        state(atHeight(tip + 1)),
        'state_unavailable',
        /no block \d+ yet; the newest/,
      );
      await refused(
        'state_proof',
        state({ type: 'hash', value: '00'.repeat(32) }),
        'not_found',
        /no block 0000/,
      );
      await refused(
        'state_proof',
        state({ type: 'after_tx', value: '00'.repeat(32) }),
        'invalid_params',
        /whole block has a state root/,
      );
      await refused('finalized_history_root', { height: tip + 1 }, 'not_found', /no final block/);
      await refused('finalized_history_proof', { height: tip + 1 }, 'not_found', /no final block/);
      await refused('finalized_history_proof', { height: tip }, 'not_found', /no header's history yet/);
      await refused(
        'finalized_history_proof',
        { height: 1, at_size: 5 },
        'invalid_params',
        /at_size.*1, 3, 4, 7/,
      );
      await refused(
        'finalized_history_proof',
        { height: 5, at_size: 7 },
        'invalid_params',
        /height.*below 4/,
      );
      const beyond = (1 << 20) - 1;
      await refused('finalized_history_proof', { height: 1, at_size: beyond }, 'not_found', /the newest has/);
    });
  });
}
