import { sameBytes } from '../base/same-bytes.js';
import type { Sha256 } from '../crypto/crypto.js';
import type { DevChange } from '../generated/ledger.js';
import { ledger } from './codecs.js';
import { tryDecode } from './contract-decoding.js';
import type { CandidateAction, SentAction } from './transaction-envelope.js';

/*
 * Development controls change the state of a development chain by ordinary transactions, so that every node that executes
 * the blocks reaches the same state. A control is a call by the development controller to the controls' address, with
 * borsh(DevChanges) as input. Anybody can derive the controller's key: on development chains, pools admit no transaction
 * of the controller, and a node makes controls only for callers of the admin tier.
 */

/** Maximum number of changes in one control; each slot counts as one. */
export const MAX_DEV_CHANGES = 4_096;

export function changesIn(change: DevChange): number {
  return change.type === 'slots' || change.type === 'forked_slots' ? change.value.slots.length : 1;
}

/** Amounts are u128, and no sum of balances may exceed them: reaching 2^128 takes 2^32 controls. */
export const MAX_DEV_BALANCE = 2n ** 96n;

/** The controls' address, 20 bytes: the first of sha256("heddle dev controls"). */
export const DEV_CONTROLS_ADDRESS = Uint8Array.from(
  Buffer.from('e90adfa731277158474a32ed112fd84c234469c4', 'hex'),
);

/** Address of the development controller, 20 bytes: that of the ed25519 key {@link devControllerSeed}. */
export const DEV_CONTROLLER_ADDRESS = Uint8Array.from(
  Buffer.from('ec2a2d06694bb014ef5444e456f2416edda1310f', 'hex'),
);

/** The development controller's 32-byte private key: sha256("heddle dev controller"). */
export function devControllerSeed(crypto: Sha256): Uint8Array {
  return crypto.sha256(new TextEncoder().encode('heddle dev controller'));
}

/** The input of a control, borsh(DevChanges); undefined for any other transaction. */
export function controlInput(
  { action, sender }: SentAction,
  { isDevelopment = false }: { readonly isDevelopment?: boolean },
): Uint8Array | undefined {
  if (!isDevelopment || action.type !== 'call') return undefined;
  if (!sameBytes(action.value.contract, DEV_CONTROLS_ADDRESS)) return undefined;
  return sameBytes(sender, DEV_CONTROLLER_ADDRESS) ? action.value.input : undefined;
}

/** The action whose result and events a transaction has: its own, or the one that a control runs as another account. */
export function performedAction(given: SentAction): CandidateAction {
  // Nobody signs as the controller on other chains: its call would be one of a missing contract.
  const input = controlInput(given, { isDevelopment: true });
  // A control that cannot be decoded fails as such.
  const changes = input && tryDecode(() => ledger.DevChanges.decode(input).changes);
  const last = changes?.at(-1);
  return last?.type === 'impersonate' ? last.value.action : given.action;
}
