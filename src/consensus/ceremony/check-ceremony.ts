import { sameBytes } from '../../base/same-bytes.js';
import type { CeremonyDealing, Genesis } from '../../generated/ledger.js';
import { ledger } from '../../ledger/codecs.js';
import { checkCommitments, type ValidatorCrypto } from '../../ledger/validators/check-dealing-points.js';
import { MAX_VALIDATORS, quorumOf } from '../../ledger/validators/quorum.js';
import { refusal, type ValidatorRefusal } from '../../ledger/validators/refusal.js';
import { approvalMessage, ceremonyGenesis, transcriptHash } from './transcript.js';

/**
 * Verifies a genesis against its ceremony: group key and share public keys follow from the dealings, and every
 * validator signed the transcript. Takes milliseconds to seconds (bench/dkg.bench.ts).
 */
export function checkCeremony(parts: ValidatorCrypto, genesis: Genesis): ValidatorRefusal | undefined {
  const { crypto, bls } = parts;
  const { validator_set: set, ceremony } = genesis;
  const { validators } = set;
  if (ceremony === undefined) return refusal('form', 'the genesis holds no ceremony');
  if (validators.length < 2 || validators.length > MAX_VALIDATORS) {
    return refusal(
      'size',
      `expected a ceremony of 2 to ${MAX_VALIDATORS} validators, got ${validators.length}`,
    );
  }
  const wrong = checkForm(ceremony.dealings, validators.length);
  if (wrong !== undefined) return wrong;
  for (const { dealer, commitments } of ceremony.dealings) {
    const broken = checkCommitments(bls, commitments);
    if (broken !== undefined) return refusal(broken.rule, `dealer ${dealer}: ${broken.message}`);
  }
  const commitments = ceremony.dealings.map((dealing) => dealing.commitments);
  const made = ceremonyGenesis(crypto, configurationOf(genesis), commitments);
  const unsigned = { ...genesis, ceremony: { ...ceremony, signatures: [] } };
  if (made === undefined || !sameBytes(ledger.Genesis.encode(made), ledger.Genesis.encode(unsigned))) {
    return refusal('constant', 'the validator set does not follow from the dealings');
  }
  return checkApprovals(parts, genesis, ceremony.signatures);
}

/** Verifies each validator's signature over the genesis; the signatures are in order of validator index. */
export function checkApprovals(
  { crypto }: Pick<ValidatorCrypto, 'crypto'>,
  genesis: Genesis,
  signatures: readonly Uint8Array[],
): ValidatorRefusal | undefined {
  const { validators } = genesis.validator_set;
  if (signatures.length !== validators.length) {
    return refusal('approvals', `expected ${validators.length} signatures, got ${signatures.length}`);
  }
  const message = approvalMessage(transcriptHash(crypto, genesis));
  for (const [index, { identity_key }] of validators.entries()) {
    if (!crypto.ed25519.verify(signatures[index] ?? new Uint8Array(0), message, identity_key)) {
      return refusal('signature', `validator ${index} did not sign this genesis`);
    }
  }
  return undefined;
}

function checkForm(dealings: readonly CeremonyDealing[], validators: number): ValidatorRefusal | undefined {
  const quorum = quorumOf(validators);
  if (dealings.length !== validators) {
    return refusal('approvals', `expected dealings of ${validators} dealers, got ${dealings.length}`);
  }
  for (const [index, { dealer, commitments }] of dealings.entries()) {
    if (dealer !== index) return refusal('order', `expected the dealing of ${index}, got that of ${dealer}`);
    if (commitments.length === quorum) continue;
    return refusal('degree', `expected ${quorum} commitments of dealer ${dealer}, got ${commitments.length}`);
  }
  return undefined;
}

/** The configuration of a genesis, without endpoints, which it does not contain. */
function configurationOf(genesis: Genesis): Parameters<typeof ceremonyGenesis>[1] {
  const { validator_set: set, encryption_keys: keys = [], ceremony: _, ...rest } = genesis;
  return {
    ...rest,
    validators: set.validators.map(({ identity_key }, index) => ({
      identity_key,
      encryption_key: keys[index] ?? new Uint8Array(48),
      endpoint: '',
    })),
  };
}
