import type { DevChange } from '../../generated/ledger.js';
import { ledger } from '../../ledger/codecs.js';
import { changesIn, MAX_DEV_CHANGES } from '../../ledger/dev-controls.js';

/** Maximum size of a control's changes, in bytes: below that of a transaction. */
const MAX_BYTES = 448 * 1024;
/** Maximum size of the code in one control, in bytes, so that its gas suffices; one contract may have more. */
const MAX_CODE_BYTES = 128 * 1024;

/** Divides changes into lists that one control can make, in order. Slots must be single or few: a change is not divided. */
export function divideChanges(changes: readonly DevChange[]): readonly (readonly DevChange[])[] {
  const lists: DevChange[][] = [];
  let list: DevChange[] = [];
  let bytes = 0;
  let code = 0;
  let count = 0;
  for (const change of changes) {
    const size = ledger.DevChange.encode(change).length;
    const codeSize = codeBytes(change);
    const slots = changesIn(change);
    const isFull =
      bytes + size > MAX_BYTES || code + codeSize > MAX_CODE_BYTES || count + slots > MAX_DEV_CHANGES;
    if (isFull && list.length > 0) {
      lists.push(list);
      list = [];
      bytes = 0;
      code = 0;
      count = 0;
    }
    list.push(change);
    bytes += size;
    code += codeSize;
    count += slots;
  }
  if (list.length > 0) lists.push(list);
  return lists;
}

function codeBytes(change: DevChange): number {
  switch (change.type) {
    case 'contract':
    case 'forked_account':
      return change.value.code?.length ?? 0;
    default:
      return 0;
  }
}
