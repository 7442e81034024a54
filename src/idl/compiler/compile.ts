import type { Manifest } from '../manifest.js';
import { checkTypes } from './check-types.js';
import { DiagnosticSink, type IdlSource } from './diagnostics.js';
import { parse } from './parser.js';
import { type ResolvedUnit, resolve } from './resolve.js';

export interface CompiledUnit {
  readonly manifest: Manifest;
  /** Top-level names to the name of the source that declares them. */
  readonly declaredIn: ReadonlyMap<string, string>;
}

/**
 * Compiles IDL texts as one unit: each may use the names of all others.
 * @param taken returns the names that generated code uses, so that structs and enums must not have them
 * @throws IdlError with all mistakes found
 */
export function compileIdl(
  sources: readonly IdlSource[],
  taken: (manifest: Manifest) => readonly string[] = () => [],
): CompiledUnit {
  const sink = new DiagnosticSink();
  const files = sources.map((source) => parse(source, sink));
  // If a whole item is missing, other items would seem to use unknown names.
  if (!files.every(({ complete }) => complete)) sink.throwIfAny(sources);
  const unit = resolve(files, sink);
  if (sink.count === 0) checkTypes(unit, sources, sink);
  checkNameClashes(unit, taken(unit.manifest), sink);
  sink.throwIfAny(sources);
  const declaredIn = new Map([...unit.declarations].map(([name, span]) => [name, span.source.name] as const));
  return { manifest: unit.manifest, declaredIn };
}

/** Reports structs and enums whose names the generated code already uses. */
function checkNameClashes(
  { manifest, declarations }: ResolvedUnit,
  taken: readonly string[],
  sink: DiagnosticSink,
): void {
  for (const { name } of [...manifest.structs, ...manifest.enums]) {
    const span = declarations.get(name);
    if (span === undefined || !taken.includes(name)) continue;
    sink.report(span, `${name} is a name that the generated code has already; choose another`);
  }
}
