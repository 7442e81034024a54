// A chain as made by several validators, from the design page alone: three epochs, skipped views, few certificates.
import { sha256 } from './bytes.js';
import { type Certificate, nobleKey, nobleSign, voteMessage } from './finality.js';
import { type BlockHeader, blockHash } from './ledger-shapes.js';

export const CHAIN_ID = 4_242n;
export const EPOCH_LENGTH = 9;
const GROUP_PRIVATE_KEY = sha256(Buffer.from('a key of four validators')).fill(0, 0, 1);
export const GROUP_KEY: Uint8Array = nobleKey(GROUP_PRIVATE_KEY);

const digest = (text: string): Uint8Array => sha256(Buffer.from(text));

export function certify(header: BlockHeader, parentView: bigint, view = header.view): Certificate {
  const facts = { epoch: header.epoch, view, block_hash: blockHash(header), parent_view: parentView };
  const signature = nobleSign(voteMessage('finalize', header.chain_id, facts), GROUP_PRIVATE_KEY);
  return { ...facts, signature, group_public_key: GROUP_KEY };
}

export interface MadeBlock {
  readonly header: BlockHeader;
  /** Present if a quorum of validators finalized the block directly. */
  readonly certificate?: Certificate;
}

/** Views without agreement are skipped; an epoch's last block is proposed again until final. */
export function makeChain(epochs: number): MadeBlock[] {
  const blocks: MadeBlock[] = [];
  for (let height = 0; height <= epochs * EPOCH_LENGTH; height++) {
    const before = blocks.at(-1)?.header;
    const epoch = height === 0 ? 0 : Math.floor((height - 1) / EPOCH_LENGTH);
    const isFirst = (height - 1) % EPOCH_LENGTH === 0;
    const parentView = before === undefined || isFirst ? 0n : before.view;
    const skipped = [0n, 0n, 2n, 0n, 1n, 5n][height % 6] ?? 0n;
    const header: BlockHeader = {
      chain_id: CHAIN_ID,
      height: BigInt(height),
      parent_hash: before === undefined ? new Uint8Array(32) : blockHash(before),
      epoch: BigInt(epoch),
      view: height === 0 ? 0n : parentView + 1n + skipped,
      timestamp_ms: 1_800_000_000_000n + BigInt(height) * 250n,
      proposer: height % (4 + epoch),
      transactions_root: digest(`transactions ${height}`),
      receipts_root: digest(`receipts ${height}`),
      state_root: digest(`state ${height}`),
      history_root: digest(`history ${height}`),
      validators_hash: digest(`validators of epoch ${epoch}`),
      gas_used: 21_000n,
      gas_limit: 500_000_000n,
      base_fee: 1n,
      seal_excess: BigInt(height),
      extra: new Uint8Array(0),
    };
    if (height > 0 && height % EPOCH_LENGTH === 0) {
      // An epoch's last block is notarized in its own view and is its own parent in the later view that finalizes it.
      blocks.push({ header, certificate: certify(header, header.view, header.view + 3n) });
    } else if (height % 5 === 3) blocks.push({ header, certificate: certify(header, parentView) });
    else blocks.push({ header });
  }
  return blocks;
}
