import type { Action, DevChange } from '../../../src/generated/ledger.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { DEV_CONTROLS_ADDRESS } from '../../../src/ledger/dev-controls.js';

/** The action of a development control that makes these changes. */
export function controlAction(changes: readonly DevChange[]): Action {
  const input = ledger.DevChanges.encode({ changes: [...changes] });
  return { type: 'call', value: { contract: DEV_CONTROLS_ADDRESS, input, value: 0n } };
}
