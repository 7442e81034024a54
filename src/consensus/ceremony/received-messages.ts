import { sameBytes } from '../../base/same-bytes.js';
import type { Bls, Crypto } from '../../crypto/crypto.js';
import type { Reveal } from '../../generated/ledger.js';
import type { CeremonyApproval, CeremonyResponse, CeremonyStatement } from '../../generated/mesh.js';
import { checkCommitments } from '../../ledger/validators/check-dealing-points.js';
import { quorumOf } from '../../ledger/validators/quorum.js';
import { isStrictlyAscending } from '../../ledger/validators/refusal.js';
import { checkRevealForm } from './check-ceremony.js';
import { isValidStatement, type OpenedMessage, type Session } from './messages.js';
import { approvalMessage } from './transcript.js';

/** A broadcast value with the proof that its sender signed it. */
export interface Attested<T> {
  readonly value: T;
  readonly statement: CeremonyStatement;
}

export type ReceiveResult =
  | { readonly type: 'new' | 'known' }
  /** The message is malformed and ignored. */
  | { readonly type: 'unfit'; readonly reason: string }
  /** The participant signed a conflicting message before. */
  | { readonly type: 'equivocation' };

/** The participants' messages in one attempt: one well-formed body per kind and participant, so memory is bounded. */
export class ReceivedMessages {
  readonly #parts: ReceivedMessagesOptions;
  readonly present: Set<number> = new Set<number>();
  readonly commitments: Map<number, Attested<readonly Uint8Array[]>> = new Map();
  readonly responses: Map<number, Attested<CeremonyResponse>> = new Map();
  readonly reveals: Map<number, Attested<readonly Reveal[]>> = new Map();
  readonly approvals: Map<number, Attested<CeremonyApproval>> = new Map();

  constructor(parts: ReceivedMessagesOptions) {
    this.#parts = parts;
  }

  add({ body, statement }: OpenedMessage): ReceiveResult {
    this.present.add(statement.participant);
    switch (body.type) {
      case 'commitments':
        return this.#keep(this.commitments, body.value, statement, () => this.#commitmentsError(body.value));
      case 'response':
        return this.#keep(this.responses, body.value, statement, () => this.#responseError(body.value));
      case 'reveals':
        return this.#keep(
          this.reveals,
          body.value,
          statement,
          () => checkRevealForm(body.value, this.#parts.keys.length)?.message,
        );
      case 'approval':
        return this.#keep(this.approvals, body.value, statement, () =>
          this.#approvalError(body.value, statement.participant),
        );
      // Nothing more to record: the sender is marked present, and others keep evaluations and final signatures.
      case 'hello':
      case 'evaluation':
      case 'finished':
        return { type: 'known' };
    }
  }

  #keep<T>(
    recorded: Map<number, Attested<T>>,
    value: T,
    statement: CeremonyStatement,
    unfit: () => string | undefined,
  ): ReceiveResult {
    const before = recorded.get(statement.participant);
    if (before !== undefined) {
      const same = sameBytes(before.statement.digest, statement.digest);
      return { type: same ? 'known' : 'equivocation' };
    }
    const reason = unfit();
    if (reason !== undefined) return { type: 'unfit', reason };
    recorded.set(statement.participant, { value, statement });
    return { type: 'new' };
  }

  #commitmentsError(commitments: readonly Uint8Array[]): string | undefined {
    const { keys, bls } = this.#parts;
    if (commitments.length !== quorumOf(keys.length)) return 'commitments of the wrong degree';
    return checkCommitments(bls, commitments)?.message;
  }

  #responseError({ seen, complaints }: CeremonyResponse): string | undefined {
    const { crypto, keys, session } = this.#parts;
    const dealers = seen.map(({ participant }) => participant);
    if (!isStrictlyAscending(dealers) || !isStrictlyAscending(complaints))
      return 'a response that is not in ascending order';
    if (!complaints.every((dealer) => dealers.includes(dealer)))
      return 'a complaint about unseen commitments';
    const stated = seen.every((statement) =>
      isValidStatement(crypto, session, 'commitments', statement, keys[statement.participant]),
    );
    return stated ? undefined : 'commitments not signed by their dealer';
  }

  #approvalError({ transcript, signature }: CeremonyApproval, from: number): string | undefined {
    const { crypto, keys } = this.#parts;
    const key = keys[from] ?? new Uint8Array(0);
    const good = crypto.ed25519.verify(signature, approvalMessage(transcript), key);
    return good ? undefined : 'an approval with an invalid signature';
  }
}

export interface ReceivedMessagesOptions {
  readonly crypto: { readonly ed25519: Pick<Crypto['ed25519'], 'verify'> };
  readonly bls: Pick<Bls, 'isPublicKey'>;
  readonly session: Session;
  /** Identity keys by participant. */
  readonly keys: readonly Uint8Array[];
}
