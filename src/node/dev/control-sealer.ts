import type { Chain } from '../../chain/chain.js';
import type { ChainTip } from '../../chain/committed-chain.js';
import type { RequestedBlock } from '../../consensus/shell/manual-sealer.js';
import type { DevBlock } from '../../generated/dev-v1.js';
import type { DevChange } from '../../generated/ledger.js';
import type { BlockReader } from '../../ledger/block-store.js';
import { DEV_CONTROLLER_ADDRESS } from '../../ledger/dev-controls.js';
import { addressHex } from '../../ledger/hex-types.js';
import { nextNonce } from '../../ledger/lanes.js';
import type { StoredReceipt } from '../../ledger/stored-receipt.js';
import type { VerifiedTransaction } from '../../ledger/transaction-envelope.js';
import { type ControlParts, controlTransaction } from './control-transaction.js';

/** Number of blocks that a control may miss, such as one without room or one that only opens envelopes. */
const MAX_MISSED = 8;
/** The development controller's lane for controls. */
const CONTROL_LANE = 0;

export interface Control {
  readonly changes: readonly DevChange[];
  /** Default: three quarters of a block's gas. */
  readonly gasLimit?: bigint | undefined;
}

export interface SealedControl {
  readonly block: DevBlock;
  readonly txHash: Uint8Array;
  readonly receipt: StoredReceipt;
}

export interface ControlSealerOptions extends ControlParts {
  readonly chain: Pick<Chain, 'tip' | 'accounts'>;
  readonly blocks: BlockReader;
  /** See `ConsensusShell.sealSoon`. */
  readonly sealSoon: (block: RequestedBlock) => Promise<Uint8Array>;
  /** The chain's clock, milliseconds since 1970. */
  readonly now: () => number;
}

/** Seals blocks for development controls, one at a time. */
export class ControlSealer {
  readonly #options: ControlSealerOptions;

  constructor(options: ControlSealerOptions) {
    this.#options = options;
  }

  /** The maximum gas of a control. Openings of envelopes may take the rest of its block. */
  get maxGas(): bigint {
    return (this.#options.chain.tip.header.gas_limit * 3n) / 4n;
  }

  get tip(): DevBlock {
    return devBlock(this.#options.chain.tip);
  }

  /** Seals a block with the pool's transactions. */
  async block(timestampMs: number): Promise<DevBlock> {
    const { blocks, sealSoon } = this.#options;
    return this.#blockAt(blocks.heightOf(await sealSoon({ timestampMs })));
  }

  /** Seals a control, followed in its block by the pool's transactions. */
  async control(control: Control): Promise<SealedControl> {
    return this.#sealed(control, false);
  }

  /** Seals controls, each in a block without other transactions. */
  async controls(controls: readonly Control[]): Promise<readonly SealedControl[]> {
    const sealed: SealedControl[] = [];
    for (const control of controls) sealed.push(await this.#sealed(control, true));
    return sealed;
  }

  /** @throws Error if the control cannot be included */
  async #sealed(control: Control, isAlone: boolean): Promise<SealedControl> {
    const { blocks, sealSoon, now } = this.#options;
    for (let tries = 0; tries <= MAX_MISSED; tries++) {
      const transaction = await this.#transactionOf(control);
      await sealSoon({ timestampMs: now(), first: [transaction], isAlone });
      const place = blocks.positionOf(transaction.hash);
      const receipt = place === undefined ? undefined : blocks.receipt(place);
      if (place === undefined || receipt === undefined) continue;
      return { block: this.#blockAt(place.height), txHash: transaction.hash, receipt };
    }
    throw new Error(`a development control was left out of ${MAX_MISSED + 1} blocks`);
  }

  #transactionOf({ changes, gasLimit = this.maxGas }: Control): Promise<VerifiedTransaction> {
    const { chain } = this.#options;
    const nonce = nextNonce(chain.accounts.account(addressHex(DEV_CONTROLLER_ADDRESS)), CONTROL_LANE);
    const control = { changes, gasLimit, lane: CONTROL_LANE, nonce };
    return controlTransaction(this.#options, chain.tip.header, control);
  }

  #blockAt(height: bigint | undefined): DevBlock {
    const stored = height === undefined ? undefined : this.#options.blocks.header(height);
    if (stored === undefined) throw new Error('a block that was sealed is missing from the store');
    return devBlock(stored);
  }
}

function devBlock({ header, hash }: ChainTip): DevBlock {
  const { height, state_root, timestamp_ms } = header;
  return { height, hash, state_root, timestamp_ms };
}
