import type { Manifest, TypeReference } from '../manifest.js';
import { TypeTable } from '../type-table.js';
import type { DiagnosticSink, IdlSource, Span } from './diagnostics.js';
import type { ResolvedUnit } from './resolve.js';

/** Runs the checks that need the whole type graph. All names must be resolved. */
export function checkTypes(unit: ResolvedUnit, sources: readonly IdlSource[], sink: DiagnosticSink): void {
  const checker = new TypeChecker(unit, sink);
  checker.checkFinite();
  // The other walks do not terminate on types without finite values.
  if (sink.count > 0) return;
  checker.checkDepth();
  if (sink.count > 0) return;
  checker.checkItems();
  checker.checkBinary(new Set(sources.filter((source) => source.binary).map((source) => source.name)));
}

/** Maximum nesting of structs, enums, lists and options, which codecs follow without counting. */
const MAX_DEPTH = 100;

class TypeChecker {
  readonly #unit: ResolvedUnit;
  readonly #manifest: Manifest;
  readonly #sink: DiagnosticSink;
  readonly #types: TypeTable;

  constructor(unit: ResolvedUnit, sink: DiagnosticSink) {
    this.#unit = unit;
    this.#manifest = unit.manifest;
    this.#sink = sink;
    this.#types = new TypeTable(unit.manifest);
  }

  /**
   * Reports types without a finite value: those that always contain another value of the same type, even indirectly.
   */
  checkFinite(): void {
    const definitions = [...this.#manifest.structs, ...this.#manifest.enums];
    const finite = new Set<string>();
    const holdsFinite = (type: TypeReference): boolean => {
      const expanded = this.#types.expand(type);
      if (expanded.kind === 'list') return expanded.length === undefined || holdsFinite(expanded.item);
      return (
        expanded.kind === 'primitive' || expanded.kind === 'option' || finite.has(expanded.definition.name)
      );
    };
    for (let grown = true; grown; ) {
      grown = false;
      for (const definition of definitions) {
        if (finite.has(definition.name)) continue;
        const ends =
          'fields' in definition
            ? this.#types.parts(definition).every(holdsFinite)
            : definition.variants.some((v) => v.payload === undefined || holdsFinite(v.payload));
        if (ends) {
          finite.add(definition.name);
          grown = true;
        }
      }
    }
    for (const definition of definitions) {
      const span = this.#unit.declarations.get(definition.name);
      if (finite.has(definition.name) || span === undefined) continue;
      // Only types on a cycle are at fault, not those that merely use them.
      if (!this.#types.isRecursive(definition)) continue;
      this.#sink.report(
        span,
        `${definition.name} always holds another ${definition.name}; put a list or an option between`,
      );
    }
  }

  /**
   * Reports non-recursive types nested too deeply, since codecs recurse at every level. Recursive types are counted at
   * run time instead.
   */
  checkDepth(): void {
    const depths = new Map<string, number>();
    const depthOf = (type: TypeReference): number => {
      const expanded = this.#types.expand(type);
      if (expanded.kind === 'primitive') return 0;
      if (expanded.kind === 'list' || expanded.kind === 'option') return 1 + depthOf(expanded.item);
      return depths.get(expanded.definition.name) ?? 1;
    };
    const definitions = [...this.#manifest.structs, ...this.#manifest.enums].filter(
      (definition) => !this.#types.isRecursive(definition),
    );
    // Each round looks at least one level deeper, so at most MAX_DEPTH rounds are needed.
    for (let grown = true; grown; ) {
      grown = false;
      for (const definition of definitions) {
        const depth = 1 + Math.max(0, ...this.#types.parts(definition).map(depthOf));
        if (depth > MAX_DEPTH) {
          const span = this.#unit.declarations.get(definition.name);
          const message = `${definition.name} holds types more than ${MAX_DEPTH} levels deep`;
          if (span !== undefined) this.#sink.report(span, message);
          return;
        }
        if (depth > (depths.get(definition.name) ?? 1)) {
          depths.set(definition.name, depth);
          grown = true;
        }
      }
    }
  }

  /** Reports list items of zero bytes: four bytes could then encode four billion items. */
  checkItems(): void {
    const visit = (type: TypeReference, span: Span | undefined): void => {
      if (typeof type === 'string') return;
      if ('option' in type) {
        visit(type.option, span);
        return;
      }
      visit(type.list, span);
      if (span !== undefined && this.#types.minSize(type.list) === 0) {
        this.#sink.report(span, 'the items of a list must have at least one field');
      }
    };
    for (const [member, type] of this.#memberTypes()) visit(type, this.#unit.memberTypes.get(member));
  }

  /** Reports `json` in types that are hashed, signed or passed to contracts: it has no binary form. */
  checkBinary(binarySources: ReadonlySet<string>): void {
    const contracts = new Set(this.#manifest.contracts.map(({ name }) => name));
    for (const [member, type] of this.#memberTypes()) {
      const span = this.#unit.memberTypes.get(member);
      if (span === undefined) continue;
      const owner = member.split(/[. ]/, 1)[0] ?? '';
      const needsBinary = contracts.has(owner) || binarySources.has(span.source.name);
      if (needsBinary && this.#types.holdsJson(type)) {
        this.#sink.report(span, 'json has no binary form, so it cannot be part of this type');
      }
    }
  }

  /** The types of all members, by the key of {@link ResolvedUnit.memberTypes}. */
  *#memberTypes(): Generator<readonly [member: string, type: TypeReference]> {
    const { interfaces, contracts, structs, enums, aliases } = this.#manifest;
    for (const { name, fields } of structs) for (const f of fields) yield [`${name}.${f.name}`, f.type];
    for (const { name, variants } of enums) {
      for (const v of variants) if (v.payload !== undefined) yield [`${name}.${v.name}`, v.payload];
    }
    for (const { name, type } of aliases) yield [name, type];
    const callables = [
      ...interfaces.map(({ name, methods }) => ({ name, functions: methods })),
      ...contracts.map(({ name, functions }) => ({ name, functions })),
    ];
    for (const { name, functions } of callables) {
      for (const f of functions) {
        for (const p of f.params) yield [`${name}.${f.name}.${p.name}`, p.type];
        if (f.returns !== undefined) yield [`${name}.${f.name} result`, f.returns];
      }
    }
    for (const { name, events, errors } of contracts) {
      for (const record of [...events, ...errors]) {
        for (const f of record.fields) yield [`${name}.${record.name}.${f.name}`, f.type];
      }
    }
  }
}
