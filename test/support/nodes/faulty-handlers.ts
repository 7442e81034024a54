// Loaded into every thread of a node by `--import`: fails for certain transactions, as faulty code would.
import { BlockReader } from '../../../src/ledger/block-store.js';

/** The message of a fault, which only the log may receive. */
export const INSIDE = 'the password is swordfish';

const FAILURES: Readonly<Record<string, () => void>> = {
  throws: () => {
    throw new TypeError(INSIDE);
  },
  throws_text: () => {
    throw INSIDE;
  },
  /** Throws where the caller cannot catch it. */
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

/** The hash of the transaction that fails this way, in hex. */
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
