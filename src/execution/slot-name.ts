/** Length of a slot's name. */
export const SLOT_NAME_BYTES = 52;

/**
 * What a slot is called in maps: contract ‖ slot, one character a byte, the shortest text that is made in one go.
 * @param bytes {@link SLOT_NAME_BYTES} to work in
 */
export function slotName(contract: Uint8Array, slot: Uint8Array, bytes: Buffer): string {
  bytes.set(contract);
  bytes.set(slot, contract.length);
  return bytes.toString('latin1', 0, SLOT_NAME_BYTES);
}
