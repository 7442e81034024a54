import { sameBytes } from '../../base/same-bytes.js';
import type { Crypto } from '../../crypto/crypto.js';
import type { CeremonyApproval } from '../../generated/mesh.js';
import { type CeremonyFailure, failure } from './failure.js';
import { isValidStatement, type Session } from './messages.js';

/**
 * Determines the participants responsible for approvals of different transcripts. Statements signed by others count
 * more than one participant's claims about them.
 * @param from the participant whose approval differs from this one's
 * @param keys identity keys by participant
 */
export function findDissenter(
  crypto: { readonly ed25519: Pick<Crypto['ed25519'], 'verify'> },
  session: Session,
  keys: readonly Uint8Array[],
  from: number,
  { theirs, own }: { readonly theirs: CeremonyApproval; readonly own: CeremonyApproval },
): CeremonyFailure {
  for (const statement of theirs.responses.slice(0, keys.length)) {
    const known = own.responses.find(({ participant }) => participant === statement.participant);
    if (known === undefined || sameBytes(known.digest, statement.digest)) continue;
    return isValidStatement(crypto, session, 'response', statement, keys[statement.participant])
      ? failure('equivocation', [statement.participant], 'signed different responses')
      : failure('wrong_transcript', [from], 'reports a response that was never signed');
  }
  const differing = [
    ...theirs.qualified.filter((dealer) => !own.qualified.includes(dealer)),
    ...own.qualified.filter((dealer) => !theirs.qualified.includes(dealer)),
  ].filter((dealer) => dealer < keys.length);
  return differing.length > 0
    ? failure('disagreement', differing, `revealed only to some, or participant ${from} claims so`)
    : failure('wrong_transcript', [from], 'signed a transcript that does not follow from the messages');
}
