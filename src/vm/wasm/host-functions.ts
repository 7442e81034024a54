import type { Activation } from './activation.js';
import { HostTrap } from './activation.js';
import { HOST_LIMITS } from './limits.js';

/** The frame that runs: whose call a host function serves. */
export type ActiveFrame = () => Activation;

const SLOT_BYTES = 32;
const TOPIC_BYTES = 32;

/** Storage of the running contract. */
export function storageFunctions(active: ActiveFrame) {
  return {
    storage_read: (slotPointer: number, out: number, capacity: number): number => {
      const frame = active();
      const slot = frame.read(slotPointer, SLOT_BYTES);
      const value = frame.host.readStorage(frame.frame.contract, slot);
      if (value !== undefined) {
        frame.writePart(out, value, 0, capacity);
      }
      if (frame.observer !== undefined) {
        frame.report('storage_read', [], { slot }, value);
      }
      return value === undefined ? -1 : value.length;
    },
    storage_write: (slotPointer: number, pointer: number, length: number): undefined => {
      const frame = active();
      frame.expectMutable('storage_write');
      const slot = frame.read(slotPointer, SLOT_BYTES);
      const value = frame.readLimited('a value', pointer, length, HOST_LIMITS.storageValueBytes);
      frame.host.writeStorage(frame.frame.contract, slot, value);
      if (frame.observer !== undefined) {
        frame.report('storage_write', [length], { slot, value });
      }
    },
    storage_remove: (slotPointer: number): number => {
      const frame = active();
      frame.expectMutable('storage_remove');
      const slot = frame.read(slotPointer, SLOT_BYTES);
      const existed = frame.host.removeStorage(frame.frame.contract, slot);
      if (frame.observer !== undefined) {
        frame.report('storage_remove', [], { slot }, existed);
      }
      return existed ? 1 : 0;
    },
    storage_exists: (slotPointer: number): number => {
      const frame = active();
      const slot = frame.read(slotPointer, SLOT_BYTES);
      const exists = frame.host.hasStorage(frame.frame.contract, slot);
      if (frame.observer !== undefined) {
        frame.report('storage_exists', [], { slot }, exists);
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
      const frame = active();
      const address = frame.frame[field];
      frame.write(out, address);
      if (frame.observer !== undefined) {
        frame.report(name, [], {}, address);
      }
    };
  return {
    input_size: (): number => {
      const frame = active();
      if (frame.observer !== undefined) {
        frame.report('input_size', [], {}, frame.frame.input.length);
      }
      return frame.frame.input.length;
    },
    input_read: (out: number, offset: number, length: number): number => {
      const frame = active();
      const copied = frame.writePart(out, frame.frame.input, offset, length);
      if (frame.observer !== undefined) {
        frame.report('input_read', [length], { offset: offset >>> 0, length: length >>> 0 }, copied);
      }
      return copied;
    },
    set_output: (pointer: number, length: number): undefined => {
      const frame = active();
      frame.output = frame.readLimited('an output', pointer, length, HOST_LIMITS.outputBytes);
      if (frame.observer !== undefined) {
        frame.report('set_output', [length], { output: frame.output });
      }
    },
    caller: writeAddress('caller', 'caller'),
    origin: writeAddress('origin', 'origin'),
    self: writeAddress('self', 'contract'),
    value: (out: number): undefined => {
      const frame = active();
      frame.writeAmount(out, frame.frame.value);
      if (frame.observer !== undefined) {
        frame.report('value', [], {}, frame.frame.value);
      }
    },
    log: (pointer: number, length: number): undefined => {
      const frame = active();
      const bytes = frame.readLimited('a log text', pointer, length, HOST_LIMITS.logBytes);
      if (frame.observer !== undefined) {
        frame.report('log', [length], { text: new TextDecoder().decode(bytes) });
      }
    },
  };
}

/** Events, and the block around. `gas_left` is answered by metered code itself and only links. */
export function blockFunctions(active: ActiveFrame) {
  const fact =
    (name: 'block_height' | 'block_timestamp_ms' | 'chain_id', field: 'height' | 'timestampMs' | 'chainId') =>
    (): bigint => {
      const frame = active();
      const value = frame.host.block[field];
      if (frame.observer !== undefined) {
        frame.report(name, [], {}, value);
      }
      return value;
    };
  return {
    emit: (topicsPointer: number, count: number, pointer: number, length: number): undefined => {
      const frame = active();
      frame.expectMutable('emit');
      if (count >>> 0 > HOST_LIMITS.eventTopics) {
        throw new HostTrap(
          'host_limit',
          `${count >>> 0} topics, at most ${HOST_LIMITS.eventTopics} are taken`,
        );
      }
      const all = frame.read(topicsPointer, count * TOPIC_BYTES);
      const topics: Uint8Array[] = [];
      for (let index = 0; index < count; index++) {
        topics.push(all.subarray(index * TOPIC_BYTES, (index + 1) * TOPIC_BYTES));
      }
      const data = frame.readLimited('event data', pointer, length, HOST_LIMITS.eventDataBytes);
      frame.host.emit(frame.frame.contract, topics, data);
      if (frame.observer !== undefined) {
        frame.report('emit', [count, length], { topics, data });
      }
    },
    block_height: fact('block_height', 'height'),
    block_timestamp_ms: fact('block_timestamp_ms', 'timestampMs'),
    chain_id: fact('chain_id', 'chainId'),
    gas_left: (): bigint => active().instance.gas,
  };
}
