import type { Crypto } from '../../crypto/crypto.js';
import { transactionFromEncoded } from '../../ledger/transaction-envelope.js';
import type { Admission } from '../../mempool/admission.js';
import { bundleOf } from '../../mempool/bundles/bundle.js';
import { invalidParams, RpcError } from '../errors.js';
import type { MethodHandlers } from '../handlers.js';
import { decodedParam } from './decoded-param.js';

export interface BundleSources {
  readonly crypto: Crypto;
  readonly admission: Pick<Admission, 'submitBundle'>;
  readonly maxBundleTransactions: number;
}

export type BundleHandlers = Pick<MethodHandlers, 'tx_submit_bundle'>;

export function bundleHandlers({ crypto, admission, maxBundleTransactions }: BundleSources): BundleHandlers {
  return {
    tx_submit_bundle: async ({ transactions, max_height }, call) => {
      if (transactions.length === 0) {
        throw invalidParams('params.transactions', 'at least one transaction', 'none');
      }
      if (transactions.length > maxBundleTransactions) {
        const message = `a bundle has at most ${maxBundleTransactions} transactions, got ${transactions.length}`;
        throw new RpcError('limit_exceeded', message, {
          subject: 'bundle_transactions',
          limit: maxBundleTransactions,
          given: transactions.length,
        });
      }
      const bundle = bundleOf(
        transactions.map((encoded, index) =>
          decodedParam(
            transactionFromEncoded,
            encoded,
            crypto,
            'SignedTransaction',
            'params.transactions',
            index,
          ),
        ),
        max_height,
        crypto,
      );
      await admission.submitBundle(bundle, call);
      return { bundle_hash: bundle.hash, tx_hashes: bundle.transactions.map(({ hash }) => hash) };
    },
  };
}
