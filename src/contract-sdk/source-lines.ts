import { decodedMappings, encodedMappings, type SourceMapSegment, TraceMap } from '@jridgewell/trace-mapping';
import { errorMessage } from '../base/errors.js';
import { ContractError } from './contract-error.js';

/** A place in the sources of a contract. */
export interface SourcePosition {
  /** Path relative to the project's folder; of the SDK: `heddle/…`; of the compiler's library: `~lib/…`. */
  readonly source: string;
  /** The line, from 1. */
  readonly line: number;
  /** The column, from 1. */
  readonly column: number;
}

/** Prefixes of sources that are not the contract's own: libraries, and code generated from the interface. */
const FOREIGN = /^(?:~lib|heddle|generated)\//;

/** Whether the author of a contract wrote the source. */
export function isOwnSource(source: string): boolean {
  return !FOREIGN.test(source);
}

/** The source map of a module: lines of its sources by offset in its code. */
export class SourceLines {
  readonly #sources: readonly (string | null)[];
  readonly #segments: readonly SourceMapSegment[];

  /** @throws ContractError `bad_source_map` */
  constructor(sourceMap: string) {
    const map = parseSourceMap(sourceMap);
    this.#sources = map.sources;
    this.#segments = decodedMappings(map)[0] ?? [];
  }

  /**
   * Returns the place that an instruction was compiled from, if the map has one.
   * @param offset of the instruction in the module
   * @param from offset of the first instruction of its function
   */
  at(offset: number, from: number): SourcePosition | undefined {
    const segment = this.#segments.findLast(([column]) => column <= offset);
    return segment === undefined || segment[0] < from ? undefined : this.#positionOf(segment);
  }

  /**
   * Returns the last place before an instruction that is in the function's own source. The instruction itself may come
   * from code that the compiler put in the function's body.
   * @param name of the function as the compiler writes it: the path of its source without extension, and its own name
   */
  inFunction(name: string, offset: number, from: number): SourcePosition | undefined {
    const own = this.#sources.findIndex((source) => source !== null && name.startsWith(`${stem(source)}/`));
    const segment = this.#segments.findLast(
      ([column, source]) => column <= offset && column >= from && source === own,
    );
    return segment && this.#positionOf(segment);
  }

  /** Returns the offsets where another place begins, in order. */
  *entries(): Generator<readonly [offset: number, position: SourcePosition]> {
    for (const segment of this.#segments) {
      const position = this.#positionOf(segment);
      if (position !== undefined) yield [segment[0], position];
    }
  }

  #positionOf(segment: SourceMapSegment): SourcePosition | undefined {
    if (segment.length === 1) return undefined;
    const [, index, line, column] = segment;
    const source = this.#sources[index];
    if (source === undefined || source === null) return undefined;
    return { source: source.replace(/^~lib\/heddle\//, 'heddle/'), line: line + 1, column: column + 1 };
  }
}

/** Moves all offsets of a module's source map, and leaves out the text of the sources. */
export function moveSourceMap(sourceMap: string, by: number): string {
  const map = parseSourceMap(sourceMap);
  const moved = decodedMappings(map).map((segments) =>
    segments.map((segment): SourceMapSegment => {
      const copy: SourceMapSegment = [...segment];
      copy[0] += by;
      return copy;
    }),
  );
  const { sources, names } = map;
  const plain = new TraceMap({ version: 3, sources: [...sources], names: [...names], mappings: moved });
  return JSON.stringify({ version: 3, sources, names, mappings: encodedMappings(plain) });
}

function parseSourceMap(text: string): TraceMap {
  let map: TraceMap;
  try {
    const { version, sources, mappings, names = [] }: Record<string, unknown> = JSON.parse(text);
    if (version !== 3) throw new TypeError(`expected version 3, got ${JSON.stringify(version)}`);
    if (!isTextList(sources) || !isTextList(names))
      throw new TypeError('expected lists of sources and names');
    if (typeof mappings !== 'string' || !/^[A-Za-z0-9+/,;]*$/.test(mappings)) {
      throw new TypeError('expected "mappings" to be Base64 VLQ text');
    }
    map = new TraceMap({ version: 3, sources, names, mappings });
    // Decodes the mappings now, so that damage shows here.
    for (const segment of decodedMappings(map).flat()) {
      if (!segment.every((part) => Number.isSafeInteger(part) && part >= 0))
        throw new TypeError('bad mappings');
      if (segment.length > 1 && sources[segment[1] as number] === undefined)
        throw new TypeError('bad mappings');
    }
  } catch (error) {
    throw new ContractError('bad_source_map', `expected a source map of version 3: ${errorMessage(error)}`);
  }
  return map;
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function stem(source: string): string {
  return source.replace(/\.ts$/, '');
}
