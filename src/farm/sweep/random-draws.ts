import { uniformBigInt } from 'pure-rand/distribution/uniformBigInt';
import { mersenne } from 'pure-rand/generator/mersenne';
import type { JumpableRandomGenerator } from 'pure-rand/types/JumpableRandomGenerator';
import { GeometricCurve } from './geometric-curve.js';
import { type Bounds, integerJson } from './range.js';

/** Draws one value. @returns JSON text */
export type Draw = (generator: JumpableRandomGenerator) => string;

/** Draws integers between bounds: each with the same probability, or on a logarithmic scale. */
export function integerDraw({ from, to, isText, isLog }: Bounds): Draw {
  if (!isLog) return (generator) => integerJson(uniformBigInt(generator, from, to), isText);
  // An integer stands for the part of the curve up to the next integer.
  const curve = new GeometricCurve(from, to + 1n);
  const last = (1n << BigInt(curve.bits)) - 1n;
  return (generator) => integerJson(curve.below(uniformBigInt(generator, 0n, last)), isText);
}

/** Independent generators of a seed. A generator depends only on the seed and its position, not on their number. */
export function generators(seed: number, count: number): JumpableRandomGenerator[] {
  const generator = mersenne(seed);
  return Array.from({ length: count }, (_, position) => {
    if (position > 0) generator.jump();
    return generator.clone();
  });
}

/** Part of a line: JSON text, or a column whose value is inserted, which is not whole inside a string. */
export type LinePart = string | { readonly column: number; readonly isWhole: boolean };

/** A parameter of the grid. */
export interface Axis {
  /** Its first column. */
  readonly column: number;
  readonly size: number;
  /** JSON text of each of its columns, by index of the point. */
  readonly columns: readonly ((index: number) => string)[];
}

export interface RandomColumn {
  readonly column: number;
  readonly draw: Draw;
}

export interface Expansion {
  readonly parts: readonly LinePart[];
  /** The first varies slowest. */
  readonly axes: readonly Axis[];
  readonly random: readonly RandomColumn[];
  readonly samples: number;
  readonly seed: number;
}

/** The lines of a sweep. Memory does not depend on their number. */
export function* expand(expansion: Expansion): Generator<string, void, void> {
  const { parts, axes, random, samples, seed } = expansion;
  const texts: string[] = [];
  const setPoint = ({ column, columns }: Axis, index: number) => {
    for (const [offset, json] of columns.entries()) texts[column + offset] = json(index);
  };
  for (const axis of axes) setPoint(axis, 0);
  const fastestFirst = axes.map((axis) => ({ axis, index: 0 })).reverse();
  /** Sets the next point of the grid. @returns false if there is none */
  const advance = (): boolean => {
    for (const position of fastestFirst) {
      position.index = (position.index + 1) % position.axis.size;
      setPoint(position.axis, position.index);
      if (position.index > 0) return true;
    }
    return false;
  };

  const streams = generators(seed, random.length);
  do {
    for (let sample = 0; sample < samples; sample++) {
      for (const [index, stream] of streams.entries()) {
        const drawn = random[index];
        if (drawn !== undefined) texts[drawn.column] = drawn.draw(stream);
      }
      yield lineOf(parts, texts);
    }
  } while (advance());
}

function lineOf(parts: readonly LinePart[], texts: readonly string[]): string {
  let line = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      line += part;
    } else {
      const text = texts[part.column] ?? '';
      line += part.isWhole || !text.startsWith('"') ? text : text.slice(1, -1);
    }
  }
  return line;
}
