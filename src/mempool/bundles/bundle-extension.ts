import { sameBytes } from '../../base/same-bytes.js';
import { TransactionError } from '../errors.js';
import type { PoolLimits } from '../pool-types.js';
import type { BundleEnvelope } from './bundle.js';
import type { WaitingBundle } from './waiting-bundle.js';

/** The minimum extension is `--bundle-blocks` divided by this number. */
const STEPS = 10;

export function extensionStep({ bundleBlocks }: Pick<PoolLimits, 'bundleBlocks'>): bigint {
  return BigInt(Math.ceil(bundleBlocks / STEPS));
}

/** @returns why a pooled bundle cannot be extended to the offered last height; undefined if it can */
export function checkExtension(
  present: WaitingBundle,
  offered: BundleEnvelope,
  limits: Pick<PoolLimits, 'bundleBlocks'>,
): TransactionError | undefined {
  const { lastHeight } = present;
  if (!present.endsBefore(offered) || lastHeight === undefined) {
    return new TransactionError('already_known', 'the bundle is in the pool already');
  }
  const needed = lastHeight + extensionStep(limits);
  const { maxHeight } = offered;
  if (maxHeight === undefined || maxHeight >= needed) return undefined;
  return new TransactionError(
    'already_known',
    `the bundle is in the pool already, up to height ${lastHeight}; extending it takes a max_height of at least ${needed}`,
    { given: maxHeight, last_height: lastHeight, needed },
  );
}

/** True if the bundle is byte-identical to the pooled one, so its signatures are known to be valid. */
export function isSameBundle(present: BundleEnvelope, offered: BundleEnvelope): boolean {
  return (
    present.transactions.length === offered.transactions.length &&
    present.transactions.every(({ encoded }, index) => {
      const other = offered.transactions[index]?.encoded;
      return sameBytes(encoded, other);
    })
  );
}
