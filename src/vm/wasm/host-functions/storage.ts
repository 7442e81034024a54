import { HOST_LIMITS } from '../engine-limits.js';
import { STORED_BYTE_GAS } from '../schedule.js';
import { declare } from './declaration.js';

const SLOT_BYTES = 32;

/** Storage of the running contract. */
export const STORAGE_FUNCTIONS = {
  storage_read: declare({
    params: ['i32', 'i32', 'i32'],
    result: 'i32',
    price: { base: 6_000, perResult: STORED_BYTE_GAS.looked },
    bind:
      ({ active, report }) =>
      (slotPointer, out, capacity) => {
        const call = active();
        const slot = call.read(slotPointer, SLOT_BYTES);
        const value = call.host.readStorage(call.frame.contract, slot);
        if (value !== undefined) call.writePart(out, value, 0, capacity);
        if (call.observer !== undefined) report(call, [slotPointer, out, capacity], { slot }, value);
        return value === undefined ? -1 : value.length;
      },
  }),
  storage_write: declare({
    params: ['i32', 'i32', 'i32'],
    result: undefined,
    price: { base: 20_000, perUnit: [{ parameter: 2, gas: 16 }], perStored: STORED_BYTE_GAS.replaced },
    bind:
      ({ active, chargeStored, report }) =>
      (slotPointer, pointer, length) => {
        const call = active();
        call.expectMutable('storage_write');
        const slot = call.read(slotPointer, SLOT_BYTES);
        const value = call.readLimited('a value', pointer, length, HOST_LIMITS.storageValueBytes);
        const replaced = call.host.writeStorage(call.frame.contract, slot, value) ?? 0;
        chargeStored(call, replaced);
        if (call.observer !== undefined) {
          report(call, [slotPointer, pointer, length], { slot, value }, undefined, replaced);
        }
      },
  }),
  storage_remove: declare({
    params: ['i32'],
    result: 'i32',
    price: { base: 10_000, perStored: STORED_BYTE_GAS.replaced },
    bind:
      ({ active, chargeStored, report }) =>
      (slotPointer) => {
        const call = active();
        call.expectMutable('storage_remove');
        const slot = call.read(slotPointer, SLOT_BYTES);
        const removed = call.host.removeStorage(call.frame.contract, slot);
        chargeStored(call, removed ?? 0);
        if (call.observer !== undefined) {
          report(call, [slotPointer], { slot }, removed !== undefined, removed);
        }
        return removed === undefined ? 0 : 1;
      },
  }),
  storage_exists: declare({
    params: ['i32'],
    result: 'i32',
    price: { base: 6_000, perStored: STORED_BYTE_GAS.looked },
    bind:
      ({ active, chargeStored, report }) =>
      (slotPointer) => {
        const call = active();
        const slot = call.read(slotPointer, SLOT_BYTES);
        const bytes = call.host.storedBytes(call.frame.contract, slot);
        chargeStored(call, bytes ?? 0);
        if (call.observer !== undefined) report(call, [slotPointer], { slot }, bytes !== undefined, bytes);
        return bytes === undefined ? 0 : 1;
      },
  }),
};
