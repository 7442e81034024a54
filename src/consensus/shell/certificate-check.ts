import type { Certificate } from '../core/types.js';
import type { VoteSignatures } from './ports.js';

/** Certificates of one peer that wait or are being checked, beyond which more are passed over. */
const MAX_A_PEER = 64;

export interface CertificateCheckOptions {
  readonly signatures: Pick<VoteSignatures, 'isCertified'>;
  /** Whether the core has use for it. */
  readonly wants: (certificate: Certificate) => boolean;
  readonly onValid: (certificate: Certificate, from: number) => void;
  /** It is not wanted, or not any more: it tells only where its sender is. */
  readonly onUnwanted: (certificate: Certificate, from: number) => void;
  /** No honest peer sends it. */
  readonly onInvalid: (from: number) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Checks certificates of peers, off the main thread, one of a message and one of a peer at a time: with the first good one of a
 * message the others are not needed. A peer that sends a bad one is dropped, and what else it sent is not looked at: so what
 * strangers cost is a check each.
 */
export class CertificateCheck {
  readonly #options: CertificateCheckOptions;
  /** The end of the line of each message that is being checked. */
  readonly #lines = new Map<string, Promise<void>>();
  readonly #waiting = new Map<number, number>();
  /** Of each peer one is checked at a time. */
  readonly #peers = new Map<number, Promise<void>>();
  /** Peers of which a bad one was found while more of theirs wait: those are not looked at. */
  readonly #bad = new Set<number>();

  constructor(options: CertificateCheckOptions) {
    this.#options = options;
  }

  /** Certificates that wait or are being checked. */
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
    const name = nameOf(certificate);
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
      onInvalid(from);
    }
  }
}

function nameOf({ kind, epoch, view, parentView, hash }: Certificate): string {
  return `${kind} ${epoch} ${view} ${parentView} ${hash}`;
}
