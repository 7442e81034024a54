import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import {
  ValidatorCertificates,
  type ValidatorCertificatesOptions,
} from '../../src/consensus/validator-certificates.js';
import { readValidatorKey, ValidatorKeyError } from '../../src/consensus/validator-key.js';
import type { TaskInput, TaskResult } from '../../src/execution/pool/execution-tasks.js';
import { verifyCertificate } from '../../src/proofs/verify.js';
import { certify, GROUP_KEY, GROUP_PUBLIC_KEY, hashOf, headerWith } from '../proofs/verify/proved-world.js';
import { PURE_BLS as bls } from '../support/crypto/pure-bls.js';

describe('certificates', () => {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-certificates-'));
  after(() => rmSync(directory, { recursive: true }));

  /** Ten blocks whose views grow by two. */
  const blocks = Array.from({ length: 10 }, (_, index) => {
    const header = headerWith({ height: BigInt(index), view: BigInt(2 * index) });
    return { header, hash: hashOf(header), keyCount: 0, openingCount: 0, receiptCount: 0 };
  });
  const reader = { header: (height: bigint) => blocks[Number(height)] };

  /** A validator whose worker signs at once, with a record of the worker's tasks. */
  function validator(
    given: Partial<Pick<ValidatorCertificatesOptions, 'blocks' | 'stored'>> & { fail?: () => boolean } = {},
  ) {
    const { fail = () => false, ...parts } = given;
    const batches: number[] = [];
    const reported: string[] = [];
    const certificates = new ValidatorCertificates({
      blocks: reader,
      stored: { of: async () => undefined },
      ...parts,
      workers: {
        async run(kind: string, input: unknown) {
          assert.equal(kind, 'sign_bls');
          const { messages, privateKey } = input as TaskInput<'sign_bls'>;
          batches.push(messages.length);
          if (fail()) throw new Error('the worker died');
          const signatures = messages.map((message) => bls.sign(message, privateKey));
          const choice = { part: 'bls12-381', implementation: 'test', native: false };
          const result: TaskResult<'sign_bls'> = { signatures, choice };
          return result as never;
        },
      },
      privateKey: GROUP_KEY,
      groupPublicKey: GROUP_PUBLIC_KEY,
      report: ({ implementation }) => reported.push(implementation),
    });
    return { certificates, batches, reported };
  }

  describe("the validator's certificates", () => {
    test('every block has a certificate that verifies, over its parent’s view', async () => {
      const { certificates } = validator();
      for (const block of blocks.slice(0, 3)) {
        const { certificate, descendants } = (await certificates.of(block.header.height)) ?? assert.fail();
        assert.deepEqual(descendants, []);
        verifyCertificate(certificate, block, GROUP_PUBLIC_KEY);
        const parentView = block.header.height === 0n ? 0n : block.header.view - 2n;
        assert.deepEqual(certificate, certify(block.header, { parentView }));
      }
    });

    test('a height beyond the tip has no certificate', async () => {
      assert.equal(await validator().certificates.of(10n), undefined);
    });

    test('the first block of an epoch has no parent view', async () => {
      const headers = [headerWith({ height: 6n, view: 9n }), headerWith({ height: 7n, epoch: 1n, view: 1n })];
      const at = (height: bigint) => {
        const header = headers.find((one) => one.height === height);
        return header === undefined
          ? undefined
          : { header, hash: hashOf(header), keyCount: 0, openingCount: 0, receiptCount: 0 };
      };
      const { certificates } = validator({ blocks: { header: at } });
      const header = headers[1] ?? assert.fail();
      const { certificate } = (await certificates.of(7n)) ?? assert.fail();
      assert.deepEqual(certificate, certify(header, { parentView: 0n }));
    });

    test('the snapshot block that the chain began with has the certificate that came with it', async () => {
      const [, , , ...later] = blocks;
      const came = { certificate: certify(blocks[3]?.header ?? assert.fail()), descendants: [] };
      const { certificates } = validator({
        blocks: { header: (height) => later[Number(height) - 3] },
        stored: { of: async (height) => (height === 3n ? came : undefined) },
      });
      assert.equal(await certificates.of(3n), came);
      assert.deepEqual((await certificates.of(4n))?.certificate.parent_view, 6n);
    });

    test('blocks requested in one tick share a task, and each block is signed only once', async () => {
      const { certificates, batches, reported } = validator();
      const heights = [1n, 2n, 3n, 2n, 1n];
      const made = await Promise.all(heights.map((height) => certificates.of(height)));
      assert.deepEqual(batches, [3]);
      assert.equal(made[0], made[4]);
      await certificates.of(3n);
      assert.deepEqual(batches, [3]);
      await certificates.of(4n);
      assert.deepEqual(batches, [3, 1]);
      assert.deepEqual(reported, ['test']);
    });

    test('a failed signature is retried at the next request', async () => {
      let failures = 1;
      const { certificates } = validator({ fail: () => failures-- > 0 });
      await assert.rejects(certificates.of(1n), /the worker died/);
      const { certificate } = (await certificates.of(1n)) ?? assert.fail();
      verifyCertificate(certificate, blocks[1] ?? assert.fail(), GROUP_PUBLIC_KEY);
    });
  });

  describe("the validator's key file", () => {
    const path = join(directory, 'validator.json');
    const hex = Buffer.from(GROUP_KEY).toString('hex');
    const read = (content: string) => {
      writeFileSync(path, content);
      return readValidatorKey(path, bls, GROUP_PUBLIC_KEY);
    };

    test('is accepted if its key matches the genesis', () => {
      assert.deepEqual(read(JSON.stringify({ scheme: 'bls12-381', private_key: `0x${hex}` })), GROUP_KEY);
    });

    test('is refused with an error that never shows the key', () => {
      const other = '08'.repeat(32);
      const files: readonly (readonly [string, RegExp])[] = [
        [JSON.stringify({ scheme: 'bls12-381', private_key: `0x${other}` }), /not the key of the genesis/],
        [JSON.stringify({ scheme: 'ed25519', private_key: `0x${other}` }), /not a validator's key/],
        [JSON.stringify({ scheme: 'bls12-381', private_key: `0x${other}00` }), /not a validator's key/],
        [JSON.stringify({ scheme: 'bls12-381', private_key: `0x${'ff'.repeat(32)}` }), /group order/],
        [`{"private_key": 0x${other}`, /not a validator's key/],
      ];
      for (const [content, reason] of files) {
        assert.throws(
          () => read(content),
          (error) =>
            error instanceof ValidatorKeyError &&
            reason.test(error.message) &&
            error.message.includes(path) &&
            !error.message.includes(other),
          content,
        );
      }
      assert.throws(
        () => readValidatorKey(join(directory, 'none'), bls, GROUP_PUBLIC_KEY),
        ValidatorKeyError,
      );
    });
  });
});
