import type { CodeWriter } from '../code-writer.js';
import { firstPrimes, rootFraction } from './prime-roots.js';

/** Number of rounds per block. */
const ROUNDS = 64;
const ROUND_CONSTANTS = firstPrimes(ROUNDS).map((prime) => rootFraction(prime, 3n));

/** The initial hash value, eight words. */
export const SHA256_INITIAL = firstPrimes(8).map((prime) => rootFraction(prime, 2n));

/** The locals and instructions of a kind of word: one number, or a vector of one word per message. */
export interface Sha256Words {
  /** First of the eight working variables. */
  readonly state: number;
  /** First of the block's 16 words. */
  readonly message: number;
  readonly sum: number;
  /** Two locals: a ⊕ b of this round, and of the previous one, where it equals this round's b ⊕ c. */
  readonly difference: number;
  readonly add: number;
  readonly and: number;
  readonly xor: number;
  readonly shiftRight: number;
  /** Whether K + W is added before Σ1 and Ch; faster for vectors (bench/tree.bench.ts). */
  readonly addsWordFirst: boolean;
  /** Pushes a constant. */
  readonly writeConstant: (code: CodeWriter, word: number) => void;
  /** Pushes the xor of a local's right rotations. */
  readonly writeRotations: (code: CodeWriter, local: number, rotations: readonly number[]) => void;
}

/** Writes all rounds unrolled (FIPS 180-4, section 6.2.2); the variables rotate by renaming instead of moving values. */
export function writeSha256Rounds(code: CodeWriter, words: Sha256Words): void {
  const { state, message, sum, difference, add, and, xor, writeConstant, writeRotations } = words;
  const addWord = (round: number, constant: number): void => {
    code.get(message + (round % 16));
    writeConstant(code, constant);
    code.op(add, add);
  };
  const initial = difference + 1;
  code
    .get(state + 1, state + 2)
    .op(xor)
    .set(initial);
  for (const [round, constant] of ROUND_CONSTANTS.entries()) {
    const name = (place: number): number => state + ((place - round + ROUNDS) % 8);
    const [a, b, d] = [name(0), name(1), name(3)];
    const [e, f, g, h] = [name(4), name(5), name(6), name(7)];
    if (round >= 16) writeExpansion(code, words, round);
    // SUM = h + Σ1(e) + Ch(e, f, g) + K + W
    code.get(h);
    if (words.addsWordFirst) addWord(round, constant);
    writeRotations(code, e, [6, 11, 25]);
    code.op(add);
    code.get(f, g).op(xor).get(e).op(and).get(g).op(xor, add);
    if (!words.addsWordFirst) addWord(round, constant);
    code.tee(sum).get(d).op(add).set(d);
    // h = SUM + Σ0(a) + Maj(a, b, c), where Maj = b ⊕ ((a ⊕ b) ∧ (b ⊕ c))
    const [now, before] = round % 2 === 0 ? [difference, difference + 1] : [difference + 1, difference];
    code.get(sum);
    writeRotations(code, a, [2, 13, 22]);
    code.op(add);
    code.get(a, b).op(xor).tee(now).get(before).op(and).get(b).op(xor, add).set(h);
  }
}

/** W = σ1(W₋₂) + W₋₇ + σ0(W₋₁₅) + W₋₁₆, replacing the last. */
function writeExpansion(
  code: CodeWriter,
  { message, add, xor, shiftRight, writeRotations }: Sha256Words,
  round: number,
): void {
  const word = (back: number): number => message + ((round - back) % 16);
  const writeSigma = (local: number, rotations: readonly [number, number], shift: number): void => {
    writeRotations(code, local, rotations);
    code.get(local).i32Const(shift).op(shiftRight, xor);
  };
  writeSigma(word(2), [17, 19], 10);
  code.get(word(7)).op(add);
  writeSigma(word(15), [7, 18], 3);
  code.op(add).get(word(16)).op(add).set(word(16));
}
