// A small contract with hand-written expected behaviour, for comparison with the node in a replay.
import { ascii, concat, hex, sha256, unhex } from './bytes.js';
import type { LedgerReceipt, Transaction } from './ledger-shapes.js';

/**
 * Adds the u64 that follows the four selector bytes of its input to the u64 in slot zero, stores the sum, emits it with the
 * step as second topic, and returns it. A step of seven reverts with the text "seven". It has no init.
 */
export const COUNTER_CODE: Uint8Array = unhex(
  '0061736d01000000011e056000017f60037f7f7f017f60037f7f7f0060027f7f0060047f7f7f7f0002740606686564646c65' +
    '0c73746f726167655f72656164000106686564646c650d73746f726167655f7772697465000206686564646c650a696e7075' +
    '745f72656164000106686564646c650a7365745f6f7574707574000306686564646c6504656d6974000406686564646c6506' +
    '72657665727400030302010004010005040101010106010007130206696e766f6b650006066d656d6f727902000901000c01' +
    '020a5f015d0041f8004104410810021a41f8002900004207510440418004410510050b410041c801410810001a41c80141c8' +
    '0129000041f80029000042017e7c370000410041c8014108100141c000410241c8014108100441c8014108100341000b0b32' +
    '020041c0000b20adadadadadadadadadadadadadadadadadadadadadadadadadadadadadadadad004180040b05736576656e' +
    '0010046e616d650109010606696e766f6b65',
);

export const COUNTER_GAS_LIMIT = 2_000_000n;
const FORBIDDEN_STEP = 7n;
const FIRST_TOPIC = new Uint8Array(32).fill(0xad);

type Action = Transaction['action'];

export function deployCounter(): Action {
  return {
    type: 'deploy',
    value: {
      vm: { type: 'wasm', value: null },
      code: COUNTER_CODE,
      idl: undefined,
      abi_version: 1,
      upgrade_policy: { type: 'immutable', value: null },
      input: new Uint8Array(),
      value: 0n,
    },
  };
}

/** A call, or a batch for several steps. */
export function callCounter(contract: Uint8Array, steps: readonly bigint[], value = 0n): Action {
  const calls = steps.map((step) => ({ contract, input: concat(ascii('add!'), le64(step)), value }));
  const [only] = calls;
  return only !== undefined && calls.length === 1
    ? { type: 'call', value: only }
    : { type: 'batch', value: calls };
}

/** Last 20 bytes of sha256(0x01 ‖ deployer ‖ u64le(index)). */
export function contractAddress(deployer: Uint8Array, index: bigint): Uint8Array {
  return sha256(Uint8Array.of(1), deployer, le64(index)).slice(-20);
}

export function isCounter(code: Uint8Array): boolean {
  return hex(code) === hex(COUNTER_CODE);
}

export type CounterAnswer =
  | { readonly outcome: 'reverted'; readonly output: Uint8Array }
  | {
      readonly outcome: 'success';
      readonly count: bigint;
      readonly output: Uint8Array;
      readonly log: LedgerReceipt['logs'][number];
    };

/** The effect of a call on a counter at `count`. */
export function runCounter(contract: Uint8Array, count: bigint, input: Uint8Array): CounterAnswer {
  const step = Buffer.from(input).readBigUInt64LE(4);
  if (step === FORBIDDEN_STEP) return { outcome: 'reverted', output: ascii('seven') };
  const next = BigInt.asUintN(64, count + step);
  const output = le64(next);
  const topics = [FIRST_TOPIC, concat(new Uint8Array(24), le64(step))];
  return { outcome: 'success', count: next, output, log: { contract, topics, data: output } };
}

export function le64(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return new Uint8Array(bytes);
}
