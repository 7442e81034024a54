import type { SealedEnvelope, Transaction } from '../generated/ledger.js';
import { utf8Length } from '../idl/codecs/json-writer.js';
import { OPENING_GAS_SHARE } from './constants.js';
import type { CandidateAction } from './transaction-envelope.js';

/** What the ledger's own work costs, in gas. The contract engine keeps its own schedule. */
export const GAS = Object.freeze({
  /**
   * Every transaction: its signature in the dearer scheme, decoding it, the receipt, the indexes, the leaf of its sender in
   * the state tree. The same for all schemes, because who estimates does not know who signs.
   */
  tx_base: 25_000n,
  /** An action that needs the contract engine, even where it finds no contract: it goes to a worker and back. */
  run: 5_000n,
  /** Using a lane of an account for the first time: it stays in the account's record for good. */
  lane_open: 5_000n,
  /** A transfer to an address that is not in the state. */
  account_open: 5_000n,
  /** A deployment or upgrade: the contract's record, and what is stored beside it. */
  contract_open: 30_000n,
  /** A byte of code that is validated and instrumented. */
  code_byte: 200n,
  /** A byte of the machine code that code may be compiled to, as the engine bounds it. */
  machine_code_byte: 6n,
  /** A byte of code, interface text, input or sealed payload that the transaction carries, and every byte of a batch's entries. */
  payload_byte: 16n,
  /** A sealed transaction: opening it costs a pairing. */
  seal: 2_000_000n,
});

/** What the encoding of a batch's entry has beside its input: the contract, the input's length, the value. */
const BATCH_ENTRY_BYTES = 20 + 4 + 16;

/**
 * The gas that a transaction uses whatever the state is: tx_base, its payload's bytes, and `run`, or `seal` where it is
 * sealed. A block includes no transaction with a lower gas_limit; the same limit need not be enough.
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

/** What an envelope counts for at the height at which it opens: what its gas_limit leaves for its action, no lane opened. */
export function openingGas(envelope: SealedEnvelope): bigint {
  return envelope.header.gas_limit - intrinsicGas({ action: { type: 'sealed', value: envelope } });
}

/** What the envelopes that open at one height may use together. @param gasLimit a block's */
export function maxOpeningGas(gasLimit: bigint): bigint {
  return gasLimit / OPENING_GAS_SHARE;
}

/** What putting code on the chain costs before the engine looks at it, whether or not it takes it. */
export function codeGas(code: { readonly length: number }): bigint {
  return GAS.contract_open + GAS.code_byte * BigInt(code.length);
}

/** What putting code on the chain costs on top once the engine knows what it is compiled to. */
export function machineCodeGas(machineCode: number): bigint {
  return GAS.machine_code_byte * BigInt(machineCode);
}

/** Bytes of machine code that one gas pays for where there are few, as a power of two. */
const COLD_BYTES_PER_GAS_LOG2 = 6n;
const SMALL_MACHINE_CODE = 512n * 1024n;
/** What is above that costs its square over two to the power of this, and at most one gas a byte. */
const LARGE_SQUARE_LOG2 = 22n;

/**
 * What the first entry of a code in a transaction or call costs beside running it, whether or not this machine has it
 * compiled at hand: as EIP-2929 prices the first access of an account. Compiling takes some 10 ns a byte; small contracts
 * pay a little of that, since they stay compiled, and large ones, of which fewer do, most of it.
 */
export function coldCodeGas(machineCode: number): bigint {
  const bytes = BigInt(machineCode);
  const small = bytes >> COLD_BYTES_PER_GAS_LOG2;
  if (bytes <= SMALL_MACHINE_CODE) return small;
  const large = bytes - SMALL_MACHINE_CODE;
  const square = (large * large) >> LARGE_SQUARE_LOG2;
  return small + (square < large ? square : large);
}

/** Machine code of contracts as people write them, by their size: what a deployment is expected to pay for. */
function usualMachineCode(codeBytes: number): number {
  return 400_000 + 64 * codeBytes;
}

/** What a transaction gets, beside what it is known to need, for each time that it runs a contract. */
const DEFAULT_RUN_GAS = 10_000_000n;

/** What the action is known to need at most before any contract runs. */
export function minGasLimit(action: Transaction['action']): bigint {
  const known = intrinsicGas({ action }) + GAS.lane_open;
  switch (action.type) {
    case 'transfer':
      return known + GAS.account_open;
    case 'deploy':
    case 'upgrade':
      return known + codeGas(action.value.code);
    case 'call':
    case 'batch':
      return known;
  }
}

/**
 * A gas limit for who does not know better: for a transfer the most that it can use, for everything else
 * {@link DEFAULT_RUN_GAS} on top for each time that it runs a contract. What is left over is not charged, but the sender
 * has to be able to pay it.
 */
export function defaultGasLimit(action: Transaction['action']): bigint {
  return minGasLimit(action) + typicalCompileGas(action) + DEFAULT_RUN_GAS * runs(action);
}

/**
 * As {@link defaultGasLimit}, for an action that is sealed.
 * @param payload the bytes of what is sealed
 */
export function defaultSealedGasLimit(action: Transaction['action'], payload: number): bigint {
  return defaultGasLimit(action) + GAS.seal + GAS.payload_byte * BigInt(payload);
}

/** What deploying code is expected to cost beside its bytes; 0 for everything else. */
export function typicalCompileGas(action: Transaction['action']): bigint {
  if (action.type !== 'deploy' && action.type !== 'upgrade') return 0n;
  return machineCodeGas(usualMachineCode(action.value.code.length));
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
