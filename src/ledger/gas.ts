import type { Deploy, SealedEnvelope, Transaction } from '../generated/ledger.js';
import { utf8Length } from '../idl/codecs/json-writer.js';
import type { CandidateAction } from './transaction-envelope.js';

/** Gas costs of the ledger's own work. The contract engine has a separate schedule. */
export const GAS = Object.freeze({
  /**
   * Every transaction: the costlier scheme's signature check, decoding, receipt, indexes, and the sender's leaf in the
   * state tree. The same for all schemes, because a gas estimate does not know the signer.
   */
  tx_base: 25_000n,
  /** An action that needs the contract engine, even if it finds no contract: the trip to a worker and back. */
  run: 5_000n,
  /** First use of an account's lane, which stays in the account's record permanently. */
  lane_open: 5_000n,
  /** A transfer to an address outside the state. */
  account_open: 5_000n,
  /** A deployment or upgrade: the contract's record and the data stored with it. */
  contract_open: 30_000n,
  /** Per byte of code, for validation and instrumentation. */
  code_byte: 200n,
  /** Per byte of interface text, which every reader of the contract compiles. `bench interfaces` measures the compiler. */
  idl_byte: 200n,
  /** Per byte of the machine code that the code may compile to; the engine sets the upper bound. */
  machine_code_byte: 6n,
  /** Per byte of code, interface text, input or sealed payload, and per byte of a batch's entries. */
  payload_byte: 16n,
  /** A sealed transaction: opening it costs a pairing. */
  seal: 2_000_000n,
});

/** Encoded size of a batch entry without its input: contract, input length, value. */
const BATCH_ENTRY_BYTES = 20 + 4 + 16;

/**
 * The state-independent gas of a transaction: tx_base, its payload's bytes, and `run`, or `seal` if it is sealed.
 * Blocks include no transaction with a lower gas_limit, though that limit may still be too low to succeed.
 */
export function intrinsicGas({ action }: { readonly action: CandidateAction }): bigint {
  const gas = GAS.tx_base + GAS.payload_byte * BigInt(payloadBytes(action));
  switch (action.type) {
    case 'transfer':
      return gas;
    case 'sealed':
      return gas + GAS.seal;
    default:
      return gas + GAS.run;
  }
}

/** Gas that an opened envelope may use: gas_limit less its intrinsic gas, opening a lane not deducted. */
export function openingGas({ header, payload }: SealedEnvelope): bigint {
  return header.gas_limit - sealedGas(payload.length);
}

/** Intrinsic gas of the inclusion of an envelope. @param payload size of the sealed payload, in bytes */
export function sealedGas(payload: number): bigint {
  return GAS.tx_base + GAS.seal + GAS.payload_byte * BigInt(payload);
}

/** Gas for putting code on chain before the engine examines it, even if the engine then rejects it. */
export function codeGas({ code, idl = '' }: Pick<Deploy, 'code' | 'idl'>): bigint {
  return GAS.contract_open + GAS.code_byte * BigInt(code.length) + GAS.idl_byte * BigInt(utf8Length(idl));
}

/** Additional gas for code once its machine code size is known. */
export function machineCodeGas(machineCode: number): bigint {
  return GAS.machine_code_byte * BigInt(machineCode);
}

/** Base-2 logarithm of the machine code bytes per gas, for small code. */
const COLD_BYTES_PER_GAS_LOG2 = 6n;
const SMALL_MACHINE_CODE = 512n * 1024n;
/** Bytes beyond the small size cost their square divided by two to this power, at most one gas per byte. */
const LARGE_SQUARE_LOG2 = 22n;

/**
 * Gas for the first entry of a contract's code in a transaction or call, besides running it; charged even if the code
 * is compiled here, as EIP-2929 prices the first access to an account. Compiling takes about 10 ns per byte. Small
 * contracts usually stay compiled and pay a small part of that; few large ones can, and pay a larger part.
 */
export function coldCodeGas(machineCode: number): bigint {
  const bytes = BigInt(machineCode);
  const small = bytes >> COLD_BYTES_PER_GAS_LOG2;
  if (bytes <= SMALL_MACHINE_CODE) return small;
  const large = bytes - SMALL_MACHINE_CODE;
  const square = (large * large) >> LARGE_SQUARE_LOG2;
  return small + (square < large ? square : large);
}

/** Default gas per contract run, on top of the known minimum. */
const DEFAULT_RUN_GAS = 10_000_000n;

/** Upper bound on the gas an action needs before any contract runs. */
export function minGasLimit(action: Transaction['action']): bigint {
  const known = intrinsicGas({ action }) + GAS.lane_open;
  switch (action.type) {
    case 'transfer':
      return known + GAS.account_open;
    case 'deploy':
    case 'upgrade':
      return known + codeGas(action.value);
    case 'call':
    case 'batch':
      return known;
  }
}

/** A transfer's maximum; for other actions {@link DEFAULT_RUN_GAS} more per contract run. */
export function defaultGasLimit(action: Transaction['action']): bigint {
  return minGasLimit(action) + typicalCompileGas(action) + DEFAULT_RUN_GAS * runs(action);
}

/** Like {@link defaultGasLimit}, for a sealed action. @param payload size of the sealed payload, in bytes */
export function defaultSealedGasLimit(action: Transaction['action'], payload: number): bigint {
  return defaultGasLimit(action) + GAS.seal + GAS.payload_byte * BigInt(payload);
}

/** Expected machine code gas of a deployment or upgrade; 0 for other actions. */
export function typicalCompileGas(action: Transaction['action']): bigint {
  if (action.type !== 'deploy' && action.type !== 'upgrade') return 0n;
  // The machine code that code of this size usually has.
  return machineCodeGas(400_000 + 64 * action.value.code.length);
}

function runs(action: Transaction['action']): bigint {
  if (action.type === 'transfer') return 0n;
  return action.type === 'batch' ? BigInt(action.value.length) : 1n;
}

function payloadBytes(action: CandidateAction): number {
  switch (action.type) {
    case 'transfer':
      return 0;
    case 'sealed':
      return action.value.payload.length;
    case 'deploy':
    case 'upgrade': {
      const { code, idl, input } = action.value;
      return code.length + (idl === undefined ? 0 : utf8Length(idl)) + input.length;
    }
    case 'call':
      return action.value.input.length;
    case 'batch':
      return action.value.reduce((sum, call) => sum + BATCH_ENTRY_BYTES + call.input.length, 0);
  }
}
