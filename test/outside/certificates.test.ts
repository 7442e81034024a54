// Certificates and finality proofs, checked with @noble/curves alone and with blst alone, by the layouts of the
// design page.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../support/node-process.js';
import { equal, hex, sha256 } from './bytes.js';
import {
  FinalityProof,
  finalityFault,
  LightClientContext,
  nobleCheck,
  nobleSign,
  type SignatureCheck,
  voteMessage,
} from './finality.js';
import { CHAIN_ID, certify, EPOCH_LENGTH, GROUP_KEY, makeChain } from './finality-chain.js';
import { type BlockHeader, blockHash, ValidatorSet } from './ledger-shapes.js';
import { RpcClient, RpcFailure } from './rpc.js';
import { bytes, encode, list, string, struct, u8, u32, u64, u128 } from './shapes.js';
import { devWallets, drained, nodeStatus, submitEvery, Traffic } from './traffic.js';

/** Verification by blst; undefined if it has no binary for this machine. */
async function blstCheck(): Promise<SignatureCheck | undefined> {
  const blst = await import('@chainsafe/blst').catch(() => undefined);
  if (blst === undefined) return undefined;
  return (signature, message, key) => {
    try {
      const point = blst.Signature.fromBytes(signature, true, true);
      return blst.verify(message, blst.PublicKey.fromBytes(key, true), point);
    } catch {
      // Bytes that are not a point.
      return false;
    }
  };
}

const blst = await blstCheck();
const checks = [
  { name: '@noble/curves', check: nobleCheck, skip: false as const },
  { name: 'blst', check: blst ?? nobleCheck, skip: blst === undefined ? 'no binary of blst here' : false },
];

const chain = makeChain(3);
const last = chain.length - 1;

function proofOf(height: number): FinalityProof {
  const header = chain[height]?.header ?? assert.fail(`no block ${height}`);
  const certified = chain.findIndex(({ certificate }, at) => at >= height && certificate !== undefined);
  const certificate = chain[certified]?.certificate ?? assert.fail(`nothing certifies ${height}`);
  const descendants = chain.slice(height + 1, certified + 1).map((block) => block.header);
  return { header, certificate, descendants };
}

for (const { name, check, skip } of checks) {
  describe(`with ${name} alone`, { skip }, () => {
    const fault = (proof: FinalityProof) => finalityFault(proof, GROUP_KEY, check);

    test('every height of three epochs with skipped views is final under the one key', () => {
      let through = 0;
      for (let height = 0; height <= last; height++) {
        const proof = proofOf(height);
        assert.equal(fault(proof), undefined, `block ${height}`);
        if (proof.descendants.length > 0) through++;
      }
      assert.ok(through > last / 2, `${through}`);
      // A proof may lead from any block to any later certificate, across the ends of epochs.
      const header = chain[1]?.header ?? assert.fail();
      const certificate = chain[last]?.certificate ?? assert.fail();
      const descendants = chain.slice(2).map((block) => block.header);
      assert.equal(fault({ header, certificate, descendants }), undefined);
    });

    test('invalid finality proofs are refused', () => {
      const good = proofOf(4);
      const [first = assert.fail(), ...rest] = good.descendants;
      const { certificate, header } = good;
      const forged: BlockHeader = { ...header, state_root: new Uint8Array(32) };
      const wrong: readonly (readonly [string, FinalityProof])[] = [
        ['no headers', { ...good, descendants: [] }],
        ['one too few', { ...good, descendants: good.descendants.slice(0, -1) }],
        ['a gap', { ...good, descendants: rest }],
        ['one twice', { ...good, descendants: [first, first, ...rest] }],
        ['a forged block', { ...good, header: forged }],
        [
          'a certificate in the middle',
          { ...proofOf(2), descendants: proofOf(2).descendants.concat(header) },
        ],
        ['another view', { ...good, certificate: { ...certificate, view: certificate.view + 1n } }],
        ['another parent', { ...good, certificate: { ...certificate, parent_view: 99n } }],
        ['another epoch', { ...good, certificate: { ...certificate, epoch: 2n } }],
        ['no signature', { ...good, certificate: { ...certificate, signature: new Uint8Array(96) } }],
      ];
      for (const [what, proof] of wrong) assert.notEqual(fault(proof), undefined, what);
    });

    test('a notarization is no certificate of finality', () => {
      const good = proofOf(3);
      const { signature: _, group_public_key: __, ...facts } = good.certificate;
      const key = sha256(Buffer.from('a key of four validators')).fill(0, 0, 1);
      const signature = nobleSign(voteMessage('notarize', CHAIN_ID, facts), key);
      assert.equal(fault(good), undefined);
      assert.notEqual(fault({ ...good, certificate: { ...good.certificate, signature } }), undefined);
    });
  });
}

test('a message of 81 bytes is what a certificate signs', () => {
  const header = chain[EPOCH_LENGTH]?.header ?? assert.fail();
  const { block_hash, ...facts } = certify(header, header.view, header.view + 3n);
  const message = voteMessage('finalize', CHAIN_ID, { ...facts, block_hash });
  assert.equal(message.length, 81);
  assert.equal(hex(message.subarray(0, 25)), `${hex(Buffer.from('heddle/finalize/1'))}9210000000000000`);
  assert.ok(equal(message.subarray(49), blockHash(header)));
});

describe('a running node', () => {
  const dataDir = temporaryDirectory();
  let node: NodeProcess;
  let rpc: RpcClient;
  let groupKey: Uint8Array;
  let tip = 0;
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

  before(async () => {
    node = await NodeProcess.start({ dataDir, flags: ['--block-time', '40', '--idle-block-time', '0'] });
    rpc = new RpcClient(node.url);
    const { chain_id: chainId } = await nodeStatus(rpc);
    const traffic = new Traffic(chainId, 31);
    const wallets = devWallets();
    const [wallet = assert.fail()] = wallets;
    for (let round = 0; round < 6; round++) {
      await submitEvery(rpc, [traffic.mixed(wallet, wallets, 2)]);
      await drained(rpc);
    }
    const status = (await rpc.call('status')) as { tip: { height: number } };
    tip = status.tip.height;
    // The development chain's key, as its documentation prints it.
    groupKey = new Uint8Array(
      Buffer.from(
        '978b0f0afe1254ae38cd6d8caf521b518b55f7b448cbb8528144f69afd358e2ae274916eb241d13775cd255f29ee027f',
        'hex',
      ),
    );
  });

  after(async () => {
    rpc?.close();
    await node?.dispose();
    removeDirectory(dataDir);
  });

  test('every height has a finality proof that any BLS library accepts', async () => {
    assert.ok(tip >= 6, `${tip}`);
    let parent: Uint8Array = new Uint8Array(32);
    for (let height = 0; height <= tip; height++) {
      const proof = FinalityProof.fromJson(await rpc.call('finality_proof', { height }), 'finality_proof');
      assert.equal(proof.header.height, BigInt(height));
      assert.ok(equal(proof.header.parent_hash, parent));
      for (const { check } of checks) assert.equal(finalityFault(proof, groupKey, check), undefined);
      parent = blockHash(proof.header);
    }
  });

  test('a light client has its context, at the tip and at any height', async () => {
    const genesis = FinalityProof.fromJson(await rpc.call('finality_proof', { height: 0 }), 'genesis');
    for (const params of [{}, { height: 3 }, { height: 0 }]) {
      const answer = await rpc.call('light_client_context', params);
      const context = LightClientContext.fromJson(answer, 'light_client_context');
      assert.equal(finalityFault(context, groupKey), undefined);
      assert.equal(context.header.height, BigInt(params.height ?? tip));
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
    const key = EpochKey.fromJson(await rpc.call('get_epoch_key'), 'get_epoch_key');
    assert.ok(equal(key.public_key, groupKey));
    const { next_open_height: _, slot_price: price, free_slots: free, ...rest } = key;
    assert.deepEqual(rest, {
      epoch: 0n,
      scheme: 'bls12381-ibe-1',
      public_key: key.public_key,
      quorum: 1,
      first_height: 1n,
      last_height: 10_000n,
    });
    assert.equal(key.next_open_height, BigInt(tip) + 3n);
    // At base fee 1 without sealed transactions.
    assert.equal(price, 2_000_000n);
    assert.deepEqual(
      free,
      Array.from({ length: 64 }, () => 16),
    );
  });

  test('future heights are refused with the reason', async () => {
    for (const [method, params] of [
      ['finality_proof', { height: tip + 1 }],
      ['light_client_context', { height: tip + 1 }],
      ['get_epoch_key', { epoch: 1 }],
    ] as const) {
      await assert.rejects(
        rpc.call(method, params),
        (error) => error instanceof RpcFailure && error.data.kind === 'not_found',
        method,
      );
    }
  });
});
