import type { ThresholdBls } from '../crypto.js';
import type { Weights } from '../scalars/lagrange.js';
import { type BlsBackend, isSignatureEncoding, StrictBls } from '../strict-bls.js';

/** What a library has to bring for threshold signatures. Only encodings that keep rules 1 to 3 reach it. */
export interface ThresholdBackend extends BlsBackend {
  /** As {@link ThresholdBls.interpolate}. May throw on what is no point of the curve. */
  interpolate(partials: readonly Uint8Array[], weights: Weights): Uint8Array;
}

/** Puts the rules of strict-bls.ts in front of a library. */
export class StrictThresholdBls extends StrictBls implements ThresholdBls {
  readonly #backend: ThresholdBackend;

  constructor(backend: ThresholdBackend) {
    super(backend);
    this.#backend = backend;
  }

  interpolate(partials: readonly Uint8Array[], weights: Weights): Uint8Array | undefined {
    if (partials.length !== weights.numerators.length || !partials.every(isSignatureEncoding))
      return undefined;
    try {
      const sum = this.#backend.interpolate(partials, weights);
      return isSignatureEncoding(sum) ? sum : undefined;
    } catch {
      // The libraries' way to say that some of these bytes are no point of the curve; one so refuses infinity, too.
      return undefined;
    }
  }
}
