import { HOST_LIMITS } from '../limits.js';
import { declare } from './declaration.js';

const SLOT_BYTES = 32;

/** Storage of the running contract. */
export const STORAGE_FUNCTIONS = {
  storage_read: declare({
    params: ['i32', 'i32', 'i32'],
    result: 'i32',
    price: { base: 6_000, perResult: 1 },
    bind:
      ({ active, report }) =>
      (slotPointer, out, capacity) => {
        const call = active();
        const slot = call.read(slotPointer, SLOT_BYTES);
        const value = call.host.readStorage(call.frame.contract, slot);
        if (value !== undefined) {
          call.writePart(out, value, 0, capacity);
        }
        if (call.observer !== undefined) {
          report(call, [slotPointer, out, capacity], { slot }, value);
        }
        return value === undefined ? -1 : value.length;
      },
  }),
  storage_write: declare({
    params: ['i32', 'i32', 'i32'],
    result: undefined,
    price: { base: 20_000, perUnit: [{ parameter: 2, gas: 16 }] },
    bind:
      ({ active, report }) =>
      (slotPointer, pointer, length) => {
        const call = active();
        call.expectMutable('storage_write');
        const slot = call.read(slotPointer, SLOT_BYTES);
        const value = call.readLimited('a value', pointer, length, HOST_LIMITS.storageValueBytes);
        call.host.writeStorage(call.frame.contract, slot, value);
        if (call.observer !== undefined) {
          report(call, [slotPointer, pointer, length], { slot, value });
        }
        return undefined;
      },
  }),
  storage_remove: declare({
    params: ['i32'],
    result: 'i32',
    price: { base: 10_000 },
    bind:
      ({ active, report }) =>
      (slotPointer) => {
        const call = active();
        call.expectMutable('storage_remove');
        const slot = call.read(slotPointer, SLOT_BYTES);
        const existed = call.host.removeStorage(call.frame.contract, slot);
        if (call.observer !== undefined) {
          report(call, [slotPointer], { slot }, existed);
        }
        return existed ? 1 : 0;
      },
  }),
  storage_exists: declare({
    params: ['i32'],
    result: 'i32',
    price: { base: 6_000 },
    bind:
      ({ active, report }) =>
      (slotPointer) => {
        const call = active();
        const slot = call.read(slotPointer, SLOT_BYTES);
        const exists = call.host.hasStorage(call.frame.contract, slot);
        if (call.observer !== undefined) {
          report(call, [slotPointer], { slot }, exists);
        }
        return exists ? 1 : 0;
      },
  }),
};
