import type { AccountRecord, BlockHeader, ValidatorSet } from '../generated/ledger.js';
import type { AddressHex } from '../ledger/hex-types.js';
import type { EpochState } from './epochs/epoch-state.js';

export interface ChainTip {
  readonly header: BlockHeader;
  readonly hash: Uint8Array;
}

/** The committed chain as seen by any thread: `Chain` on the main thread, `PublishedChain` elsewhere. */
export interface CommittedChain {
  /** The last committed block, which is final. */
  readonly tip: ChainTip & {
    readonly epochs: Pick<EpochState, 'parameters' | 'validators'>;
    /** Number of opening slots reserved by the block. */
    readonly slots: number;
  };
  readonly finalizedHeight: bigint;
  /** Lowest height whose block, receipts and indexes are stored. */
  readonly firstHeight: bigint;
  readonly genesisHash: Uint8Array;
  readonly genesisStateRoot: Uint8Array;
  /** Accounts after the last committed block. */
  readonly accounts: { account(address: AddressHex): AccountRecord };
  /** Validators of an epoch; undefined if the chain has not reached it, or was restored from a later snapshot. */
  validatorsAt(epoch: bigint): ValidatorSet | undefined;
}
