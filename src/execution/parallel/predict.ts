import { toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import { StoreError } from '../../storage/store-error.js';
import { AccessRecorder } from '../access-recorder.js';
import type { BlockEnvironment } from '../block-environment.js';
import { canEverBeIncluded, executeTransaction } from '../execute-transaction.js';
import type { TaskOf } from '../task-runner.js';
import { WorldState } from '../world-state.js';
import { recordedAccesses } from './access-keys.js';
import { decodeByteStrings, FlatReader, FlatWriter } from './flat-bytes.js';
import { MAX_PREDICTED_GAS, type Prediction } from './predictions.js';
import type { SpeculationSources } from './speculate.js';

/** Transactions to be tried, each by itself, on the last committed state. */
export interface PredictionInput {
  /** The next block's environment, as far as it is known. */
  readonly env: BlockEnvironment;
  /** borsh(SignedTransaction) of each; see `encodeByteStrings`. */
  readonly transactions: Uint8Array;
}

export interface PredictionTasks {
  /** Predicts the accesses of transactions in the pool. */
  predict: TaskOf<PredictionInput, Uint8Array>;
}

/** Time after which a worker yields to blocks and signatures. The remaining transactions are not predicted. */
const SLICE_MS = 10;
const NOTHING: Prediction = { accesses: new Uint32Array(0), gas: 0 };

/**
 * Tries transactions until time runs out and encodes their accesses: for each, u64 gas ‖ u32 number of keys ‖ the
 * keys of `access-keys.ts`, four bytes each. Transactions that cannot be tried have no gas and no keys.
 */
export function predict(
  { env, transactions }: PredictionInput,
  parts: SpeculationSources,
  now: () => number = () => performance.now(),
): Uint8Array {
  const end = now() + SLICE_MS;
  const writer = new FlatWriter();
  const recorder = new AccessRecorder();
  for (const encoded of decodeByteStrings(transactions)) {
    if (now() >= end) break;
    const { accesses, gas } = tryOne(encoded, env, parts, recorder);
    writer.u64(BigInt(gas));
    writer.u32(accesses.length);
    for (const key of accesses) writer.u32(key);
  }
  return writer.finish();
}

function tryOne(
  encoded: Uint8Array,
  env: BlockEnvironment,
  { source, machine }: SpeculationSources,
  recorder: AccessRecorder,
): Prediction {
  const { transaction } = ledger.SignedTransaction.decode(encoded);
  const isLong = transaction.gas_limit > MAX_PREDICTED_GAS;
  const tried = isLong ? { ...transaction, gas_limit: MAX_PREDICTED_GAS } : transaction;
  if (!canEverBeIncluded(tried, env)) return NOTHING;
  const state = new WorldState(source, recorder);
  state.begin(0);
  try {
    const { gasUsed } = executeTransaction(tried, toHex(transaction.sender), { state, env, machine });
    return { accesses: recordedAccesses(recorder, state), gas: Number(gasUsed) };
  } catch (error) {
    // The rest of the batch is not affected, and the block will report the fault.
    if (error instanceof StoreError) throw error;
    return NOTHING;
  }
}

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
