import type { BlockHeader, ValidatorSet } from '../../generated/ledger.js';
import { BorshWriter } from '../../idl/codecs/borsh-writer.js';
import { portableHashes } from './portable-hashes.js';

const BLOCK_DOMAIN = new TextEncoder().encode('heddle/block/1');

/** sha256("heddle/block/1" ‖ borsh(BlockHeader)), 32 bytes: the block's hash. @throws BorshError */
export function headerHash(header: BlockHeader): Uint8Array {
  const w = new BorshWriter();
  const at = 'BlockHeader';
  w.begin();
  w.u64(header.chain_id, at, '.chain_id', -1);
  w.u64(header.height, at, '.height', -1);
  w.fixed(header.parent_hash, 32, at, '.parent_hash', -1);
  w.u64(header.epoch, at, '.epoch', -1);
  w.u64(header.view, at, '.view', -1);
  w.u64(header.timestamp_ms, at, '.timestamp_ms', -1);
  w.u32(header.proposer, at, '.proposer', -1);
  w.fixed(header.transactions_root, 32, at, '.transactions_root', -1);
  w.fixed(header.receipts_root, 32, at, '.receipts_root', -1);
  w.fixed(header.state_root, 32, at, '.state_root', -1);
  w.fixed(header.history_root, 32, at, '.history_root', -1);
  w.fixed(header.validators_hash, 32, at, '.validators_hash', -1);
  w.u64(header.gas_used, at, '.gas_used', -1);
  w.u64(header.gas_limit, at, '.gas_limit', -1);
  w.u128(header.base_fee, at, '.base_fee', -1);
  w.bytes(header.extra, Number.MAX_SAFE_INTEGER, at, '.extra', -1);
  const encoded = w.written();
  const preimage = new Uint8Array(BLOCK_DOMAIN.length + encoded.length);
  preimage.set(BLOCK_DOMAIN);
  preimage.set(encoded, BLOCK_DOMAIN.length);
  return portableHashes.sha256(preimage);
}

/** sha256(borsh(ValidatorSet)), 32 bytes: the header's validators_hash. @throws BorshError */
export function validatorSetHash(set: ValidatorSet): Uint8Array {
  const w = new BorshWriter();
  const most = Number.MAX_SAFE_INTEGER;
  w.begin();
  w.u64(set.epoch, 'ValidatorSet', '.epoch', -1);
  w.u32(set.quorum, 'ValidatorSet', '.quorum', -1);
  w.bytes(set.group_public_key, most, 'ValidatorSet', '.group_public_key', -1);
  w.u32(set.validators.length, 'ValidatorSet', '.validators', -1);
  for (const validator of set.validators) {
    w.u32(validator.index, 'Validator', '.index', -1);
    w.fixed(validator.address, 20, 'Validator', '.address', -1);
    w.fixed(validator.identity_key, 32, 'Validator', '.identity_key', -1);
    w.bytes(validator.share_public_key, most, 'Validator', '.share_public_key', -1);
  }
  return portableHashes.sha256(w.written());
}
