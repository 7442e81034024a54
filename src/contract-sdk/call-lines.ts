import { sameBytes } from '../base/same-bytes.js';
import { toHex } from '../idl/hex.js';
import type { CallObserver, CallOutcome, CodePosition, Frame } from '../vm/engine.js';
import { CodePositions } from '../vm/wasm/code-positions.js';
import type { EngineLimits } from '../vm/wasm/engine-limits.js';
import { SourceLines, type SourcePosition } from './source-lines.js';
import type { CoveredBuild, DebugBuild, HitRecord } from './test-run.js';

/** A function on the stack of a call that stopped. */
export interface SourceFrame {
  /** The function's name in the sources, such as `Counter#increment`. */
  readonly function: string;
  /** The line that it stopped in; absent for code without a debug build. */
  readonly position?: SourcePosition;
}

interface StoppedFrame {
  readonly frame: Frame;
  readonly positions: readonly CodePosition[];
  readonly outcome: CallOutcome;
}

const INLINED = 'inlined code';

/** End of the names of the functions that the build adds. */
const ENTRY_SUFFIX = '~entry';

/** Notes where the frames of a call stop. */
export class StopObserver implements CallObserver {
  readonly stopped: StoppedFrame[] = [];
  #positions: readonly CodePosition[] | undefined;

  frameStopped(_frame: Frame, positions: readonly CodePosition[]): void {
    this.#positions = positions;
  }

  frameLeft(frame: Frame, outcome: CallOutcome): void {
    if (this.#positions === undefined) return;
    this.stopped.push({ frame, positions: this.#positions, outcome });
    this.#positions = undefined;
  }

  /** The outermost frame and the nested ones whose reverts it passes on, innermost first. */
  chain(): readonly StoppedFrame[] {
    const chain: StoppedFrame[] = [];
    for (const stop of this.stopped.toReversed()) {
      const outer = chain[0];
      const isPassedOn =
        outer === undefined ||
        (stop.frame.depth === outer.frame.depth + 1 &&
          stop.outcome.status === 'reverted' &&
          outer.outcome.status === 'reverted' &&
          sameBytes(stop.outcome.output, outer.outcome.output));
      if (!isPassedOn) break;
      chain.unshift(stop);
    }
    return chain;
  }
}

/** Finds the lines of code positions in debug builds. */
export class LineFinder {
  readonly #limits: EngineLimits;
  readonly #maps = new Map<DebugBuild, { readonly lines: SourceLines; readonly positions: CodePositions }>();

  constructor(limits: EngineLimits) {
    this.#limits = limits;
  }

  /** Returns the functions at a position, innermost first: two if the compiler put one into the other. */
  frames({ function: name, offset }: CodePosition, build: DebugBuild | undefined): readonly SourceFrame[] {
    const shown = functionText(name);
    if (build === undefined) return [{ function: shown }];
    if (name.endsWith(ENTRY_SUFFIX)) return [];
    const { lines, positions } = this.#mapsOf(build);
    const original = positions.originalOf(offset);
    const position = original && lines.at(original.offset, original.functionStart);
    if (original === undefined || position === undefined) return [{ function: shown }];
    const own = lines.inFunction(name, original.offset, original.functionStart);
    if (own === undefined || own.source === position.source) return [{ function: shown, position }];
    return [
      { function: INLINED, position },
      { function: shown, position: own },
    ];
  }

  #mapsOf(build: DebugBuild): { readonly lines: SourceLines; readonly positions: CodePositions } {
    const known = this.#maps.get(build);
    if (known !== undefined) return known;
    const made = {
      lines: new SourceLines(build.sourceMap),
      positions: new CodePositions(build.code, 'plain', this.#limits),
    };
    this.#maps.set(build, made);
    return made;
  }
}

/** Counts the probes of covered builds that a call reaches. */
export class ProbeObserver implements CallObserver {
  readonly variant = 'observed';
  readonly #buildAt: ReadonlyMap<string, DebugBuild>;
  readonly #running: (DebugBuild | undefined)[] = [];
  readonly #hits = new Map<string, Record<string, number>>();

  /** @param buildAt the builds by address of their contract, lowercase hex */
  constructor(buildAt: ReadonlyMap<string, DebugBuild>) {
    this.#buildAt = buildAt;
  }

  frameEntered(frame: Frame): void {
    this.#running.push(this.#buildAt.get(toHex(frame.contract)));
  }

  frameLeft(): void {
    this.#running.pop();
  }

  functionEntered(name: string): void {
    const build = this.#running.at(-1);
    const probe = build?.covered === undefined ? undefined : probeOf(name, build.covered);
    if (build === undefined || probe === undefined) return;
    const hits = this.#hits.get(build.codeHash) ?? {};
    this.#hits.set(build.codeHash, hits);
    hits[probe] = (hits[probe] ?? 0) + 1;
  }

  get hits(): readonly HitRecord[] {
    return [...this.#hits].map(([codeHash, hits]) => ({ codeHash, hits }));
  }
}

/** The number of the probe whose function has this name; probes have none but their index. */
function probeOf(name: string, { firstProbe, probes }: CoveredBuild): number | undefined {
  if (!name.startsWith('function ')) return undefined;
  const probe = Number(name.slice('function '.length)) - firstProbe;
  return probe >= 0 && probe < probes ? probe : undefined;
}

/** The compiler's name of a function without the paths of modules. */
function functionText(name: string): string {
  return name.replaceAll(/(?:[\w~.-]+\/)+/g, '');
}

/** Describes a stack, one function a line. */
export function stackText(frames: readonly SourceFrame[]): string {
  return frames
    .map(({ function: name, position }) => {
      const place = position === undefined ? '' : ` (${position.source}:${position.line}:${position.column})`;
      return `\n    at ${name}${place}`;
    })
    .join('');
}
