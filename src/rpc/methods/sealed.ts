import type { Crypto } from '../../crypto/crypto.js';
import { envelopeFromEncoded, opensAt } from '../../ledger/transaction-envelope.js';
import type { Admission } from '../../mempool/admission.js';
import { NEVER_OPENED } from '../../mempool/errors.js';
import { RpcError } from '../errors.js';
import type { MethodHandlers } from '../handlers.js';
import { decodedParam } from './decoded-param.js';

export interface SealedSources {
  readonly crypto: Crypto;
  readonly admission: Pick<Admission, 'submit'>;
  /** Whether sealed transactions can be opened; the node's admission uses the same value. */
  readonly canOpen: boolean;
}

export type SealedHandlers = Pick<MethodHandlers, 'tx_submit_sealed'>;

export function sealedHandlers({ crypto, admission, canOpen }: SealedSources): SealedHandlers {
  return {
    tx_submit_sealed: async ({ envelope }, call) => {
      const transaction = decodedParam(
        envelopeFromEncoded,
        envelope,
        crypto,
        'SignedEnvelope',
        'params.envelope',
      );
      const opens_at = opensAt(transaction.signed.transaction);
      if (opens_at === undefined) throw new Error('the decoded envelope has no opens_at');
      if (!canOpen) {
        throw new RpcError('not_ready', NEVER_OPENED, { reasons: [NEVER_OPENED] });
      }
      await admission.submit(transaction, call);
      return { envelope_hash: transaction.hash, opens_at };
    },
  };
}
