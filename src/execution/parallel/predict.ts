import { toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import { AccessRecorder } from '../access-recorder.js';
import type { BlockEnvironment } from '../block-environment.js';
import { executeTransaction } from '../execute-transaction.js';
import { WorldState } from '../world-state.js';
import { recordedAccesses } from './access-keys.js';
import { FlatReader, FlatWriter } from './flat-bytes.js';
import type { Prediction } from './predictions.js';
import type { SpeculationParts } from './speculate.js';

/** Transactions to be tried, each for itself, on the last committed state. */
export interface PredictionInput {
  /** The next block's, as far as it is known. */
  readonly env: BlockEnvironment;
  /** borsh(SignedTransaction) of each, every one behind its length. */
  readonly transactions: Uint8Array;
}

/** A try may use so much gas, some 10 ms; what runs on is foretold by how far it came. */
const MOST_GAS = 20_000_000n;
/** A worker gives its thread up after this long: blocks and signatures go first. What it did not come to is not foretold. */
const SLICE_MS = 10;

export function encodeToPredict(transactions: readonly Uint8Array[]): Uint8Array {
  const writer = new FlatWriter();
  for (const encoded of transactions) writer.bytes(encoded);
  return writer.finish();
}

/**
 * Tries transactions and writes down what they touch: of each u64 gas ‖ u32 keys ‖ the keys as `access-keys.ts` has them,
 * four bytes each; as many as there was time for.
 */
export function predict({ env, transactions }: PredictionInput, parts: SpeculationParts): Uint8Array {
  const end = performance.now() + SLICE_MS;
  const reader = new FlatReader(transactions);
  const writer = new FlatWriter();
  const recorder = new AccessRecorder();
  while (!reader.done && performance.now() < end) {
    const { transaction } = ledger.SignedTransaction.decode(reader.bytes() ?? new Uint8Array(0));
    const limit = transaction.gas_limit < MOST_GAS ? transaction.gas_limit : MOST_GAS;
    const state = new WorldState(parts.source, recorder);
    state.begin(0);
    const { gasUsed } = executeTransaction({ ...transaction, gas_limit: limit }, toHex(transaction.sender), {
      state,
      env,
      machine: parts.machine,
    });
    writer.u64(gasUsed);
    const keys = recordedAccesses(recorder, state);
    writer.u32(keys.length);
    for (const key of keys) writer.u32(key);
  }
  return writer.finish();
}

/** Reads what {@link predict} wrote. */
export function decodePredictions(encoded: Uint8Array): Prediction[] {
  const reader = new FlatReader(encoded);
  const predictions: Prediction[] = [];
  while (!reader.done) {
    const gas = Number(reader.u64());
    const accesses = new Uint32Array(reader.u32());
    for (let place = 0; place < accesses.length; place++) accesses[place] = reader.u32();
    predictions.push({ accesses, gas });
  }
  return predictions;
}
