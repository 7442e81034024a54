import type { CandidateAction } from './transaction-envelope.js';

/** The native amount that an action moves. */
export function actionValue(action: CandidateAction): bigint {
  switch (action.type) {
    case 'transfer':
      return action.value.amount;
    case 'call':
    case 'deploy':
      return action.value.value;
    case 'batch':
      return action.value.reduce((sum, call) => sum + call.value, 0n);
    case 'upgrade':
    case 'sealed':
      return 0n;
  }
}

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
