import { type Activation, HostTrap, RevertSignal } from '../activation.js';
import { HOST_LIMITS } from '../engine-limits.js';
import { declare, fact } from './declaration.js';

/** Returns the trap for exceeding the joint limit on a transaction's output and events. */
export function outputLimitTrap(): HostTrap {
  return new HostTrap('host_limit', 'more output and events than a transaction may have together');
}

function addressOf(field: 'caller' | 'origin' | 'contract') {
  return declare({
    params: ['i32'],
    result: undefined,
    price: { base: 60 },
    bind:
      ({ active, report }) =>
      (out) => {
        const call = active();
        const address = call.frame[field];
        call.write(out, address);
        if (call.observer !== undefined) report(call, [out], {}, address);
      },
  });
}

/** Returns the function that copies a part of bytes into the contract's memory. */
export function readOf(source: (call: Activation) => Uint8Array) {
  return declare({
    params: ['i32', 'i32', 'i32'],
    result: 'i32',
    price: { base: 100, perUnit: [{ parameter: 2, gas: 1 }] },
    bind:
      ({ active, report }) =>
      (out, offset, length) => {
        const call = active();
        const copied = call.writePart(out, source(call), offset, length);
        if (call.observer !== undefined) {
          report(call, [out, offset, length], { offset: offset >>> 0, length: length >>> 0 }, copied);
        }
        return copied;
      },
  });
}

/** The input of the frame, its context, and its output. */
export const FRAME_FUNCTIONS = {
  input_size: fact('i32', 30, (call) => call.frame.input.length),
  input_read: readOf((call) => call.frame.input),
  // Priced per byte, like events, so that the receipts of a full block of 500,000,000 gas stay under 16 MiB.
  set_output: declare({
    params: ['i32', 'i32'],
    result: undefined,
    price: { base: 100, perUnit: [{ parameter: 1, gas: 32 }] },
    bind:
      ({ active, report }) =>
      (pointer, length) => {
        const call = active();
        const output = call.readLimited('an output', pointer, length, HOST_LIMITS.outputBytes);
        if (call.frame.depth === 0 && !call.host.holdOutput(output.length)) throw outputLimitTrap();
        call.output = output;
        if (call.observer !== undefined) report(call, [pointer, length], { output: call.output });
      },
  }),
  revert: declare({
    params: ['i32', 'i32'],
    result: undefined,
    price: { base: 100, perUnit: [{ parameter: 1, gas: 32 }] },
    bind: ({ active, report }) => {
      // Shared by all reverts: it carries no data, and creating an error is slow.
      const revertSignal = new RevertSignal();
      return (pointer, length) => {
        const call = active();
        call.output = call.readLimited('revert data', pointer, length, HOST_LIMITS.outputBytes);
        if (call.observer !== undefined) report(call, [pointer, length], { data: call.output });
        // Only an error of its own has the stack of this revert.
        throw call.observer?.frameStopped === undefined ? revertSignal : new RevertSignal();
      };
    },
  }),
  caller: addressOf('caller'),
  origin: addressOf('origin'),
  self: addressOf('contract'),
  value: declare({
    params: ['i32'],
    result: undefined,
    price: { base: 100 },
    bind:
      ({ active, report }) =>
      (out) => {
        const call = active();
        call.writeAmount(out, call.frame.value);
        if (call.observer !== undefined) report(call, [out], {}, call.frame.value);
      },
  }),
};
