// Loaded into every thread of a node by `--import`: asked for certain transactions, it fails as code with a fault would.
import { BlockReader } from '../../src/ledger/block-store.js';

/** What a fault says: nobody but the log may hear of it. */
export const INSIDE = 'the password is swordfish';

const FAILURES: Readonly<Record<string, () => void>> = {
  throws: () => {
    throw new TypeError(INSIDE);
  },
  throws_text: () => {
    throw INSIDE;
  },
  /** Out of reach of whoever asks. */
  throws_later: () => {
    setImmediate(() => {
      throw new RangeError(INSIDE);
    });
  },
  rejects_unheard: () => {
    void Promise.reject(new Error(INSIDE));
  },
};

const SUFFIX = 'fa'.repeat(31);

/** The hash of the transaction that fails so, hex. */
export function failingHash(how: keyof typeof FAILURES): string {
  const at = Object.keys(FAILURES).indexOf(how);
  return `0${at}${SUFFIX}`;
}

const { positionOf } = BlockReader.prototype;
BlockReader.prototype.positionOf = function (this: BlockReader, hash) {
  const name = Buffer.from(hash).toString('hex');
  if (name.endsWith(SUFFIX)) Object.values(FAILURES)[Number(name.slice(0, 2))]?.();
  return positionOf.call(this, hash);
};
