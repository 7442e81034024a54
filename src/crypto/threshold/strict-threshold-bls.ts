import type { ThresholdBls } from '../crypto.js';
import type { Weights } from '../scalars/lagrange.js';
import { type BlsBackend, isSignatureEncoding, StrictBls } from '../strict-bls.js';

/** The threshold operations of a library. Its inputs satisfy rules 1 to 3. */
export interface ThresholdBackend extends BlsBackend {
  /** Like {@link ThresholdBls.interpolate}. May throw for points that are not on the curve. */
  interpolate(partials: readonly Uint8Array[], weights: Weights): Uint8Array;
}

/** Applies the rules of strict-bls.ts before calling a library. */
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
      // The libraries throw for points that are not on the curve; one also rejects infinity this way.
      return undefined;
    }
  }
}
