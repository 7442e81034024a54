import type { CandidateAction } from './transaction-envelope.js';

/** The action's recipient: a transfer's payee, or the contract called or upgraded. */
export function recipient(action: CandidateAction): Uint8Array | undefined {
  switch (action.type) {
    case 'transfer':
      return action.value.to;
    case 'call':
    case 'upgrade':
      return action.value.contract;
    case 'deploy':
    case 'batch':
    case 'sealed':
      return undefined;
  }
}
