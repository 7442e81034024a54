import { shownLine } from '../../base/shown-text.js';
import { formatAddress } from '../../client/address-text.js';
import type { NewValidator, ValidatorChange } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';

/** A change of the validator set, in the form of the options `--add` and `--remove`. */
export function changeText(change: ValidatorChange): string {
  switch (change.type) {
    case 'add':
      return `add ${keysText(change.value)}@${shownLine(change.value.endpoint)}`;
    case 'remove':
      return `remove ${formatAddress(change.value)}`;
  }
}

function keysText({ identity_key, encryption_key }: NewValidator): string {
  return `${toHex(identity_key)}:${toHex(encryption_key)}`;
}
