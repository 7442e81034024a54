import type { AccountRecord, BlockHeader, ValidatorSet } from '../generated/ledger.js';
import type { AddressHex } from '../ledger/hex-types.js';
import type { EpochState } from './epochs/epoch-state.js';

/** A block's header and its hash. */
export interface ChainTip {
  readonly header: BlockHeader;
  readonly hash: Uint8Array;
}

/** The committed chain, as any thread can know it: `Chain` on the main thread, `PublishedChain` elsewhere. */
export interface CommittedChain {
  /** The last committed block, which is final. */
  readonly tip: ChainTip & { readonly epochs: Pick<EpochState, 'parameters' | 'validators'> };
  readonly finalizedHeight: bigint;
  /** The lowest height whose block, receipts and indexes are stored. */
  readonly firstHeight: bigint;
  readonly genesisHash: Uint8Array;
  readonly genesisStateRoot: Uint8Array;
  /** The accounts as the last committed block left them. */
  readonly accounts: { account(address: AddressHex): AccountRecord };
  /** The validators of an epoch; undefined where the chain is not that far, or began with a later snapshot. */
  validatorsAt(epoch: bigint): ValidatorSet | undefined;
}
