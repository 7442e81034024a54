import type { CallStatus, Frame } from '../engine.js';
import { type Activation, RevertSignal } from './activation.js';
import type { ActiveFrame } from './host-functions.js';
import { CALL_FRAMES_BYTES, type EngineLimits, HOST_LIMITS } from './limits.js';
import { CALL_GAS_RESERVE_PARTS } from './schedule.js';

const ADDRESS_BYTES = 20;
const NO_BYTES = new Uint8Array(0);

/** What `call` and `view` return. */
const CALL_CODES: Readonly<Record<CallStatus | 'refused', number>> = {
  success: 0,
  reverted: 1,
  out_of_gas: 2,
  trapped: 3,
  refused: 4,
};

/** Balances, transfers, nested calls and what they return, and `revert`. */
export function callFunctions(active: ActiveFrame, limits: EngineLimits) {
  // One for all reverts: it carries nothing, and making an error is slow.
  const revertSignal = new RevertSignal();
  return {
    balance: (address: number, out: number): undefined => {
      const call = active();
      const account = call.read(address, ADDRESS_BYTES);
      const balance = call.host.balance(account);
      call.writeAmount(out, balance);
      if (call.observer !== undefined) {
        call.report('balance', [], { address: account }, balance);
      }
    },
    transfer: (to: number, amountPointer: number): number => {
      const call = active();
      call.expectMutable('transfer');
      const recipient = call.read(to, ADDRESS_BYTES);
      const amount = call.readAmount(amountPointer);
      const isDone = call.host.transfer(call.frame.contract, recipient, amount);
      if (call.observer !== undefined) {
        call.report('transfer', [], { to: recipient, amount }, isDone);
      }
      return isDone ? 0 : 1;
    },
    call: (to: number, amountPointer: number, gas: bigint, input: number, length: number): number => {
      const call = active();
      const contract = call.read(to, ADDRESS_BYTES);
      const value = call.readAmount(amountPointer);
      if (value > 0n) {
        call.expectMutable('call with an amount');
      }
      const data = call.readLimited('an input', input, length, HOST_LIMITS.callInputBytes);
      const code = nestedCall(call, limits, contract, value, gas, data, call.frame.isView);
      if (call.observer !== undefined) {
        call.report('call', [length], { to: contract, value, gas, input: data }, code);
      }
      return code;
    },
    view: (to: number, gas: bigint, input: number, length: number): number => {
      const call = active();
      const contract = call.read(to, ADDRESS_BYTES);
      const data = call.readLimited('an input', input, length, HOST_LIMITS.callInputBytes);
      const code = nestedCall(call, limits, contract, 0n, gas, data, true);
      if (call.observer !== undefined) {
        call.report('view', [length], { to: contract, gas, input: data }, code);
      }
      return code;
    },
    returned_size: (): number => {
      const call = active();
      if (call.observer !== undefined) {
        call.report('returned_size', [], {}, call.returned.length);
      }
      return call.returned.length;
    },
    returned_read: (out: number, offset: number, length: number): number => {
      const call = active();
      const copied = call.writePart(out, call.returned, offset, length);
      if (call.observer !== undefined) {
        call.report('returned_read', [length], { offset: offset >>> 0, length: length >>> 0 }, copied);
      }
      return copied;
    },
    revert: (pointer: number, length: number): never => {
      const call = active();
      call.output = call.readLimited('revert data', pointer, length, HOST_LIMITS.outputBytes);
      if (call.observer !== undefined) {
        call.report('revert', [length], { data: call.output });
      }
      throw revertSignal;
    },
  };
}

/**
 * Runs another contract with at most 63/64 of the gas that the frame has left, and takes what it used. The callee has
 * what is left of the transaction's one stack budget, and gives it back by returning.
 * @param requested the most gas to give, any 64 bits
 */
function nestedCall(
  activation: Activation,
  limits: EngineLimits,
  contract: Uint8Array,
  value: bigint,
  requested: bigint,
  input: Uint8Array,
  isView: boolean,
): number {
  const { frame, host, instance } = activation;
  activation.returned = NO_BYTES;
  const calleeStack = instance.stack - CALL_FRAMES_BYTES;
  if (frame.depth + 1 >= limits.depth || calleeStack < 0) {
    return CALL_CODES.refused;
  }
  activation.calleeStack = calleeStack;
  const left = instance.gas;
  const most = left - left / CALL_GAS_RESERVE_PARTS;
  const wanted = BigInt.asUintN(64, requested);
  const callee: Frame = {
    entry: 'invoke',
    contract,
    caller: frame.contract,
    origin: frame.origin,
    value,
    input,
    gas: wanted < most ? wanted : most,
    isView,
    depth: frame.depth + 1,
  };
  const outcome = host.call(callee);
  if (outcome === undefined) {
    return CALL_CODES.refused;
  }
  activation.returned = outcome.output;
  instance.gas = left - outcome.gasUsed;
  return CALL_CODES[outcome.status];
}
