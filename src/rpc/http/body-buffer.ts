import type { ByteBudget, ByteHolding } from '../limits/byte-budget.js';

const MIN_BYTES = 4_096;
/** Bodies of at least this size get separate pages, which return to the system. The C library keeps smaller blocks. */
const OWN_PAGES_BYTES = 64 * 1024;

export function bufferingIn(budget: ByteBudget, maxBodyBytes: number) {
  return {
    budget,
    collectBody: (address: string, cut: () => void) => new BodyBuffer(budget, maxBodyBytes, address, cut),
  };
}

/**
 * Collects a request body that arrives in pieces in contiguous memory. However small the pieces, it uses at most twice
 * their size, all of it counted by the budget.
 */
export class BodyBuffer {
  readonly #budget: ByteBudget;
  readonly #maxBytes: number;
  readonly #owner: string;
  readonly #cut: () => void;
  #holding: ByteHolding | undefined;
  #bytes: Buffer = Buffer.alloc(0);
  #received = 0;

  /** @param owner the sender's address @param cut called when the budget has reclaimed the memory */
  constructor(budget: ByteBudget, maxBytes: number, owner: string, cut: () => void) {
    this.#budget = budget;
    this.#maxBytes = maxBytes;
    this.#owner = owner;
    this.#cut = cut;
  }

  /** Returns false if there is no room for the piece; the buffer must then not be used any more. */
  add(piece: Uint8Array): boolean {
    const needed = this.#received + piece.length;
    if (needed > this.#bytes.length && !this.#grow(needed)) return false;
    this.#bytes.set(piece, this.#received);
    this.#received = needed;
    return true;
  }

  /** Returns the whole body and gives the memory back to the budget. */
  take(): Uint8Array {
    const body = this.#bytes.subarray(0, this.#received);
    this.drop();
    return body;
  }

  drop(): void {
    this.#holding?.release();
    this.#bytes = Buffer.alloc(0);
  }

  #grow(needed: number): boolean {
    const capacity = Math.min(this.#maxBytes, Math.max(needed, MIN_BYTES, 2 * this.#bytes.length));
    const more = capacity - this.#bytes.length;
    if (this.#holding === undefined) {
      this.#holding = this.#budget.hold(more, () => this.#over(), this.#owner);
      if (this.#holding === undefined) return false;
    } else if (!this.#holding.grow(more)) {
      return false;
    }
    const { buffer } = this.#bytes;
    if (buffer instanceof ArrayBuffer && buffer.resizable) {
      buffer.resize(capacity);
      this.#bytes = Buffer.from(buffer);
      return true;
    }
    const grown = allocate(capacity, this.#maxBytes);
    grown.set(this.#bytes.subarray(0, this.#received));
    this.#bytes = grown;
    return true;
  }

  #over(): void {
    this.#bytes = Buffer.alloc(0);
    this.#cut();
  }
}

function allocate(bytes: number, maxBytes: number): Buffer {
  if (bytes < OWN_PAGES_BYTES) return Buffer.allocUnsafeSlow(bytes);
  return Buffer.from(new ArrayBuffer(bytes, { maxByteLength: maxBytes }));
}
