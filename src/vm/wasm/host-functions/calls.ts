import type { CallStatus, Frame } from '../../engine.js';
import type { Activation } from '../activation.js';
import { CALL_FRAMES_BYTES, type EngineLimits, HOST_LIMITS } from '../engine-limits.js';
import { CALL_GAS_RESERVE_PARTS } from '../schedule.js';
import { declare, fact } from './declaration.js';
import { readOf } from './frame.js';

const ADDRESS_BYTES = 20;
const NO_BYTES = new Uint8Array(0);

/** Return values of `call` and `view`. */
const CALL_CODES: Readonly<Record<CallStatus | 'refused', number>> = {
  success: 0,
  reverted: 1,
  out_of_gas: 2,
  trapped: 3,
  refused: 4,
};

/** Balances, transfers, nested calls and their return data. */
export const CALL_FUNCTIONS = {
  balance: declare({
    params: ['i32', 'i32'],
    result: undefined,
    price: { base: 8_000 },
    bind:
      ({ active, report }) =>
      (address, out) => {
        const call = active();
        const account = call.read(address, ADDRESS_BYTES);
        const balance = call.host.balance(account);
        call.writeAmount(out, balance);
        if (call.observer !== undefined) report(call, [address, out], { address: account }, balance);
      },
  }),
  transfer: declare({
    params: ['i32', 'i32'],
    result: 'i32',
    price: { base: 20_000 },
    bind:
      ({ active, report }) =>
      (to, amountPointer) => {
        const call = active();
        call.expectMutable('transfer');
        const recipient = call.read(to, ADDRESS_BYTES);
        const amount = call.readAmount(amountPointer);
        const isDone = call.host.transfer(call.frame.contract, recipient, amount);
        if (call.observer !== undefined) report(call, [to, amountPointer], { to: recipient, amount }, isDone);
        return isDone ? 0 : 1;
      },
  }),
  call: declare({
    params: ['i32', 'i32', 'i64', 'i32', 'i32'],
    result: 'i32',
    price: { base: 10_000, perUnit: [{ parameter: 4, gas: 1 }] },
    bind:
      ({ active, limits, report }) =>
      (to, amountPointer, gas, pointer, length) => {
        const call = active();
        const contract = call.read(to, ADDRESS_BYTES);
        const value = call.readAmount(amountPointer);
        if (value > 0n) call.expectMutable('call with an amount');
        const input = call.readLimited('an input', pointer, length, HOST_LIMITS.callInputBytes);
        const code = nestedCall(call, limits, { contract, value, gas, input, isView: call.frame.isView });
        if (call.observer !== undefined) {
          const shown = { to: contract, value, gas, input };
          report(call, [to, amountPointer, gas, pointer, length], shown, code);
        }
        return code;
      },
  }),
  view: declare({
    params: ['i32', 'i64', 'i32', 'i32'],
    result: 'i32',
    price: { base: 10_000, perUnit: [{ parameter: 3, gas: 1 }] },
    bind:
      ({ active, limits, report }) =>
      (to, gas, pointer, length) => {
        const call = active();
        const contract = call.read(to, ADDRESS_BYTES);
        const input = call.readLimited('an input', pointer, length, HOST_LIMITS.callInputBytes);
        const code = nestedCall(call, limits, { contract, value: 0n, gas, input, isView: true });
        if (call.observer !== undefined) {
          report(call, [to, gas, pointer, length], { to: contract, gas, input }, code);
        }
        return code;
      },
  }),
  returned_size: fact('i32', 30, (call) => call.returned.length),
  returned_read: readOf((call) => call.returned),
};

/** `gas` is the caller's limit for the callee: any unsigned 64-bit number. */
type NestedCall = Pick<Frame, 'contract' | 'value' | 'gas' | 'input' | 'isView'>;

/**
 * Runs another contract with at most 63/64 of the frame's remaining gas, and charges the gas used. The callee runs on
 * the rest of the transaction's single stack budget, which is restored on return.
 */
function nestedCall(
  activation: Activation,
  limits: EngineLimits,
  { contract, value, gas: requested, input, isView }: NestedCall,
): number {
  const { frame, host, instance } = activation;
  activation.returned = NO_BYTES;
  const calleeStack = instance.stack - CALL_FRAMES_BYTES;
  if (frame.depth + 1 >= limits.depth || calleeStack < 0) return CALL_CODES.refused;
  activation.calleeStack = calleeStack;
  const usable = instance.gas;
  const { withheldGas = 0n } = frame;
  const left = usable + withheldGas;
  const max = left - left / CALL_GAS_RESERVE_PARTS;
  const wanted = BigInt.asUintN(64, requested);
  const limit = wanted < max ? wanted : max;
  const gas = limit < usable ? limit : usable;
  const callee: Frame = {
    purpose: 'call',
    contract,
    caller: frame.contract,
    origin: frame.origin,
    value,
    input,
    gas,
    withheldGas: limit - gas,
    isView,
    depth: frame.depth + 1,
  };
  const outcome = host.call(callee);
  if (outcome === undefined) return CALL_CODES.refused;
  activation.returned = outcome.output;
  instance.gas = usable - outcome.gasUsed;
  return CALL_CODES[outcome.status];
}
