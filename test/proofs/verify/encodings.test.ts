import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type {
  AccountRecord,
  BlockHeader,
  LedgerReceipt,
  ValidatorSet,
} from '../../../src/generated/ledger.js';
import { ledgerManifest } from '../../../src/generated/ledger.js';
import type {
  FinalityCertificate,
  FinalizedHistoryProofResult,
  GetSnapshotChunkResult,
  InclusionProof,
  NodeRpcV1Types,
  TreeProof as Tree,
} from '../../../src/generated/node-rpc-v1.js';
import { nodeRpcV1Manifest } from '../../../src/generated/node-rpc-v1.js';
import * as own from '../../../src/generated/verify-codecs.js';
import { BorshError } from '../../../src/idl/codecs/codec-errors.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { blockHash, validatorsHash } from '../../../src/ledger/header.js';
import { rpcTypes } from '../../../src/ledger/rpc-codecs.js';
import { decodeBorsh, readAnswer } from '../../../src/proofs/verify/decoding.js';
import { headerHash, validatorSetHash } from '../../../src/proofs/verify/header-hash.js';
import { arbitraryOf } from '../../support/arbitraries.js';
import { PURE_CRYPTO as crypto } from '../../support/crypto/pure-crypto.js';
import { compileTypes } from '../../support/runtime-codecs.js';

// The verifier has functions of its own for a few types, so that its bundle is small; they must do what the codecs do.

const { TreeProof } = compileTypes<Pick<NodeRpcV1Types, 'TreeProof'>>(nodeRpcV1Manifest);

const of = <T>(name: string) => arbitraryOf(nodeRpcV1Manifest, name) as fc.Arbitrary<T>;
const decodeAccountRecord = (bytes: Uint8Array) =>
  decodeBorsh(bytes, own.readBorshAccountRecord, 'AccountRecord');
const decodeReceipt = (bytes: Uint8Array) => decodeBorsh(bytes, own.readBorshLedgerReceipt, 'LedgerReceipt');
const ofLedger = <T>(name: string) => arbitraryOf(ledgerManifest, name) as fc.Arbitrary<T>;

test('headers and validator sets hash as the ledger hashes them', () => {
  fc.assert(
    fc.property(
      ofLedger<BlockHeader>('BlockHeader'),
      ofLedger<ValidatorSet>('ValidatorSet'),
      (header, set) => {
        assert.deepEqual(headerHash(header), blockHash(crypto, ledger.BlockHeader.encode(header)));
        assert.deepEqual(validatorSetHash(set), validatorsHash(crypto, set));
      },
    ),
  );
});

test('records and receipts decode as the codecs decode them', () => {
  fc.assert(
    fc.property(
      ofLedger<AccountRecord>('AccountRecord'),
      ofLedger<LedgerReceipt>('LedgerReceipt'),
      (record, receipt) => {
        const encodedRecord = ledger.AccountRecord.encode(record);
        const encodedReceipt = ledger.LedgerReceipt.encode(receipt);
        assert.deepEqual(decodeAccountRecord(encodedRecord), ledger.AccountRecord.decode(encodedRecord));
        assert.deepEqual(decodeReceipt(encodedReceipt), ledger.LedgerReceipt.decode(encodedReceipt));
      },
    ),
  );
});

/** The outcome of decoding: the value, or that the bytes are refused. */
function outcome(decode: () => unknown): unknown {
  try {
    return decode();
  } catch (error) {
    if (error instanceof BorshError) return `refused: ${error.code}`;
    throw error;
  }
}

test('bytes that are not a record or receipt are refused exactly if the codecs refuse them', () => {
  fc.assert(
    fc.property(
      ofLedger<AccountRecord>('AccountRecord'),
      ofLedger<LedgerReceipt>('LedgerReceipt'),
      fc.nat(),
      fc.uint8Array({ minLength: 1, maxLength: 3 }),
      (record, receipt, at, change) => {
        for (const [encoded, decode, codec] of [
          [ledger.AccountRecord.encode(record), decodeAccountRecord, ledger.AccountRecord],
          [ledger.LedgerReceipt.encode(receipt), decodeReceipt, ledger.LedgerReceipt],
        ] as const) {
          const changed = Uint8Array.from(encoded);
          changed.set(change.subarray(0, changed.length - (at % changed.length)), at % changed.length);
          for (const bytes of [
            changed,
            encoded.subarray(0, at % encoded.length),
            Uint8Array.from([...encoded, 0]),
          ]) {
            assert.deepEqual(
              outcome(() => decode(bytes)),
              outcome(() => codec.decode(bytes)),
            );
          }
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('answers are parsed as the codecs parse them', () => {
  const read = <T>(json: string, reads: Parameters<typeof readAnswer<T>>[1]): T =>
    readAnswer(JSON.parse(json), reads, 'answer');
  fc.assert(
    fc.property(
      of<BlockHeader>('BlockHeader'),
      of<FinalityCertificate>('FinalityCertificate'),
      of<Tree>('TreeProof'),
      of<InclusionProof>('InclusionProof'),
      of<FinalizedHistoryProofResult>('FinalizedHistoryProofResult'),
      of<GetSnapshotChunkResult>('GetSnapshotChunkResult'),
      of<ValidatorSet>('ValidatorSet'),
      (header, certificate, tree, inclusion, history, chunk, set) => {
        assert.deepEqual(read(rpcTypes.BlockHeader.toJson(header), own.readJsonBlockHeader), header);
        assert.deepEqual(
          read(rpcTypes.FinalityCertificate.toJson(certificate), own.readJsonFinalityCertificate),
          certificate,
        );
        assert.deepEqual(
          read(rpcTypes.TreeProof.toJson(tree), own.readJsonTreeProof),
          TreeProof.decode(TreeProof.encode(tree)),
        );
        assert.deepEqual(
          read(rpcTypes.InclusionProof.toJson(inclusion), own.readJsonInclusionProof),
          inclusion,
        );
        assert.deepEqual(
          read(rpcTypes.FinalizedHistoryProofResult.toJson(history), own.readJsonFinalizedHistoryProofResult),
          history,
        );
        assert.deepEqual(
          read(rpcTypes.GetSnapshotChunkResult.toJson(chunk), own.readJsonGetSnapshotChunkResult),
          chunk,
        );
        assert.deepEqual(read(rpcTypes.ValidatorSet.toJson(set), own.readJsonValidatorSet), set);
      },
    ),
  );
});
