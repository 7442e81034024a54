import type { Activation } from './activation.js';
import { HostTrap } from './activation.js';
import { HOST_LIMITS } from './limits.js';

/** The frame that runs: whose call a host function serves. */
export type ActiveFrame = () => Activation;

const SLOT_BYTES = 32;

function tooMuchKept(): HostTrap {
  return new HostTrap('host_limit', 'more output and events than a transaction may have together');
}

const TOPIC_BYTES = 32;

/** Storage of the running contract. */
export function storageFunctions(active: ActiveFrame) {
  return {
    storage_read: (slotPointer: number, out: number, capacity: number): number => {
      const call = active();
      const slot = call.read(slotPointer, SLOT_BYTES);
      const value = call.host.readStorage(call.frame.contract, slot);
      if (value !== undefined) {
        call.writePart(out, value, 0, capacity);
      }
      if (call.observer !== undefined) {
        call.report('storage_read', [], { slot }, value);
      }
      return value === undefined ? -1 : value.length;
    },
    storage_write: (slotPointer: number, pointer: number, length: number): undefined => {
      const call = active();
      call.expectMutable('storage_write');
      const slot = call.read(slotPointer, SLOT_BYTES);
      const value = call.readLimited('a value', pointer, length, HOST_LIMITS.storageValueBytes);
      call.host.writeStorage(call.frame.contract, slot, value);
      if (call.observer !== undefined) {
        call.report('storage_write', [length], { slot, value });
      }
    },
    storage_remove: (slotPointer: number): number => {
      const call = active();
      call.expectMutable('storage_remove');
      const slot = call.read(slotPointer, SLOT_BYTES);
      const existed = call.host.removeStorage(call.frame.contract, slot);
      if (call.observer !== undefined) {
        call.report('storage_remove', [], { slot }, existed);
      }
      return existed ? 1 : 0;
    },
    storage_exists: (slotPointer: number): number => {
      const call = active();
      const slot = call.read(slotPointer, SLOT_BYTES);
      const exists = call.host.hasStorage(call.frame.contract, slot);
      if (call.observer !== undefined) {
        call.report('storage_exists', [], { slot }, exists);
      }
      return exists ? 1 : 0;
    },
  };
}

/** What the frame was called with, and what it answers; `revert` is with the calls. */
export function frameFunctions(active: ActiveFrame) {
  const writeAddress =
    (name: 'caller' | 'origin' | 'self', field: 'caller' | 'origin' | 'contract') =>
    (out: number): undefined => {
      const call = active();
      const address = call.frame[field];
      call.write(out, address);
      if (call.observer !== undefined) {
        call.report(name, [], {}, address);
      }
    };
  return {
    input_size: (): number => {
      const call = active();
      if (call.observer !== undefined) {
        call.report('input_size', [], {}, call.frame.input.length);
      }
      return call.frame.input.length;
    },
    input_read: (out: number, offset: number, length: number): number => {
      const call = active();
      const copied = call.writePart(out, call.frame.input, offset, length);
      if (call.observer !== undefined) {
        call.report('input_read', [length], { offset: offset >>> 0, length: length >>> 0 }, copied);
      }
      return copied;
    },
    set_output: (pointer: number, length: number): undefined => {
      const call = active();
      const output = call.readLimited('an output', pointer, length, HOST_LIMITS.outputBytes);
      if (call.frame.depth === 0 && !call.host.holdOutput(output.length)) throw tooMuchKept();
      call.output = output;
      if (call.observer !== undefined) {
        call.report('set_output', [length], { output: call.output });
      }
    },
    caller: writeAddress('caller', 'caller'),
    origin: writeAddress('origin', 'origin'),
    self: writeAddress('self', 'contract'),
    value: (out: number): undefined => {
      const call = active();
      call.writeAmount(out, call.frame.value);
      if (call.observer !== undefined) {
        call.report('value', [], {}, call.frame.value);
      }
    },
    log: (pointer: number, length: number): undefined => {
      const call = active();
      const bytes = call.readLimited('a log text', pointer, length, HOST_LIMITS.logBytes);
      if (call.observer !== undefined) {
        call.report('log', [length], { text: new TextDecoder().decode(bytes) });
      }
    },
  };
}

/** Events, the block around, and gas, of which unobserved code knows by itself. */
export function blockFunctions(active: ActiveFrame) {
  const fact =
    (name: 'block_height' | 'block_timestamp_ms' | 'chain_id', field: 'height' | 'timestampMs' | 'chainId') =>
    (): bigint => {
      const call = active();
      const value = call.host.block[field];
      if (call.observer !== undefined) {
        call.report(name, [], {}, value);
      }
      return value;
    };
  return {
    emit: (topicsPointer: number, count: number, pointer: number, length: number): undefined => {
      const call = active();
      call.expectMutable('emit');
      if (count >>> 0 > HOST_LIMITS.eventTopics) {
        throw new HostTrap(
          'host_limit',
          `${count >>> 0} topics, at most ${HOST_LIMITS.eventTopics} are taken`,
        );
      }
      const all = call.read(topicsPointer, count * TOPIC_BYTES);
      const topics: Uint8Array[] = [];
      for (let index = 0; index < count; index++) {
        topics.push(all.subarray(index * TOPIC_BYTES, (index + 1) * TOPIC_BYTES));
      }
      const data = call.readLimited('event data', pointer, length, HOST_LIMITS.eventDataBytes);
      if (!call.host.emit(call.frame.contract, topics, data)) throw tooMuchKept();
      if (call.observer !== undefined) {
        call.report('emit', [count, length], { topics, data });
      }
    },
    block_height: fact('block_height', 'height'),
    block_timestamp_ms: fact('block_timestamp_ms', 'timestampMs'),
    chain_id: fact('chain_id', 'chainId'),
    gas_left: (): bigint => {
      const call = active();
      const { gas } = call.instance;
      if (call.observer !== undefined) {
        call.report('gas_left', [], {}, gas);
      }
      return gas;
    },
  };
}
