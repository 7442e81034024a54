import type { Certificate } from '../core/types.js';
import { messageName } from './conversions.js';
import type { VoteSignatures } from './ports.js';

/** Maximum number of certificates per peer waiting or being checked; more are dropped. */
const MAX_A_PEER = 64;

export interface CertificateCheckOptions {
  readonly signatures: Pick<VoteSignatures, 'isCertified'>;
  readonly wants: (certificate: Certificate) => boolean;
  readonly onValid: (certificate: Certificate, from: number) => void;
  /** Called for a certificate that is not, or no longer, wanted; it only shows the sender's position. */
  readonly onUnwanted: (certificate: Certificate, from: number) => void;
  /** Called for an invalid certificate, which no honest peer sends. */
  readonly onInvalid: (certificate: Certificate, from: number) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Verifies peers' certificates off the main thread, one at a time per message and per peer: after the first valid
 * certificate of a message the others are unnecessary. A peer that sends an invalid one is disconnected and its
 * remaining ones are skipped, so each malicious peer costs one verification.
 */
export class CertificateCheck {
  readonly #options: CertificateCheckOptions;
  /** Tail of each message's verification chain. */
  readonly #lines = new Map<string, Promise<void>>();
  readonly #waiting = new Map<number, number>();
  /** Tail of each peer's verification chain. */
  readonly #peers = new Map<number, Promise<void>>();
  /** Peers that sent an invalid certificate while more of theirs wait; those are skipped. */
  readonly #bad = new Set<number>();

  constructor(options: CertificateCheckOptions) {
    this.#options = options;
  }

  /** Number of certificates waiting or being checked. */
  get size(): number {
    let size = 0;
    for (const waiting of this.#waiting.values()) size += waiting;
    return size;
  }

  check(certificate: Certificate, from: number): void {
    const { wants, onUnwanted } = this.#options;
    if (!wants(certificate)) {
      onUnwanted(certificate, from);
      return;
    }
    const waiting = this.#waiting.get(from) ?? 0;
    if (waiting >= MAX_A_PEER) return;
    this.#waiting.set(from, waiting + 1);
    const name = messageName(certificate);
    const line = Promise.all([this.#lines.get(name), this.#peers.get(from)])
      .then(() => this.#verify(certificate, from))
      .catch((error: unknown) => this.#options.onError(error))
      .finally(() => {
        if (this.#lines.get(name) === line) this.#lines.delete(name);
        if (this.#peers.get(from) === line) this.#peers.delete(from);
        const left = (this.#waiting.get(from) ?? 1) - 1;
        if (left > 0) {
          this.#waiting.set(from, left);
        } else {
          this.#waiting.delete(from);
          this.#bad.delete(from);
        }
      });
    this.#lines.set(name, line);
    this.#peers.set(from, line);
  }

  async #verify(certificate: Certificate, from: number): Promise<void> {
    const { signatures, wants, onValid, onUnwanted, onInvalid } = this.#options;
    if (this.#bad.has(from)) return;
    if (!wants(certificate)) {
      onUnwanted(certificate, from);
    } else if (await signatures.isCertified(certificate)) {
      onValid(certificate, from);
    } else {
      this.#bad.add(from);
      onInvalid(certificate, from);
    }
  }
}
