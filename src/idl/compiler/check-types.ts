import type { EnumDefinition, StructDefinition, TypeReference } from '../manifest.js';
import { append, TypeTable } from '../type-table.js';
import type { DiagnosticSink, IdlSource, Span } from './diagnostics.js';
import { IDL_LIMITS } from './idl-limits.js';
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

class TypeChecker {
  readonly #unit: ResolvedUnit;
  readonly #sink: DiagnosticSink;
  readonly #types: TypeTable;

  constructor(unit: ResolvedUnit, sink: DiagnosticSink) {
    this.#unit = unit;
    this.#sink = sink;
    this.#types = new TypeTable(unit.manifest);
  }

  /** Reports types without a finite value: they always contain another value of the same type, even indirectly. */
  checkFinite(): void {
    const { structs, enums } = this.#unit.manifest;
    const definitions = [...structs, ...enums];
    const finite = this.#finite(definitions);
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

  /** Names of the definitions that have a finite value. */
  #finite(definitions: readonly (StructDefinition | EnumDefinition)[]): ReadonlySet<string> {
    const finite = new Set<string>();
    /** The definitions that a definition waits for: a struct for all its fields, an enum for one of its variants. */
    const missing = new Map<string, number>();
    const waiting = new Map<string, string[]>();
    for (const definition of definitions) {
      const { name } = definition;
      const needs =
        'fields' in definition
          ? this.#types.parts(definition).map((part) => this.#needed(part))
          : definition.variants.map(({ payload }) => payload && this.#needed(payload));
      const named = needs.filter((need) => need !== undefined);
      const count = 'fields' in definition ? named.length : named.length < needs.length ? 0 : 1;
      missing.set(name, count);
      if (count === 0) finite.add(name);
      for (const need of named) append(waiting, need, name);
    }
    // A loop over a set also visits what is added meanwhile.
    for (const name of finite) {
      for (const user of waiting.get(name) ?? []) {
        const left = (missing.get(user) ?? 0) - 1;
        missing.set(user, left);
        if (left === 0) finite.add(user);
      }
    }
    return finite;
  }

  /** The struct or enum that each value of the type contains. */
  #needed(type: TypeReference): string | undefined {
    const expanded = this.#types.expand(type);
    if (expanded.kind === 'primitive' || expanded.kind === 'option') return undefined;
    if (expanded.kind === 'list')
      return expanded.length === undefined ? undefined : this.#needed(expanded.item);
    return expanded.definition.name;
  }

  /**
   * Reports non-recursive types nested too deeply, since codecs recurse at every level. Recursive types are counted at
   * run time instead.
   */
  checkDepth(): void {
    const depths = new Map<string, number>();
    const depthOf = (type: TypeReference, level: number): number => {
      const expanded = this.#types.expand(type);
      // What lies deeper changes nothing: the outermost type is reported already.
      if (expanded.kind === 'primitive' || level > IDL_LIMITS.depth) return 0;
      if (expanded.kind === 'list' || expanded.kind === 'option')
        return 1 + depthOf(expanded.item, level + 1);
      const { definition } = expanded;
      let depth = depths.get(definition.name);
      if (depth === undefined) {
        const parts = this.#types.isRecursive(definition) ? [] : this.#types.parts(definition);
        depth = 1 + parts.reduce<number>((most, part) => Math.max(most, depthOf(part, level + 1)), 0);
        depths.set(definition.name, depth);
      }
      return depth;
    };
    const { structs, enums } = this.#unit.manifest;
    for (const { name } of [...structs, ...enums]) {
      const span = this.#unit.declarations.get(name);
      if (span === undefined || depthOf(name, 0) <= IDL_LIMITS.depth) continue;
      this.#sink.report(span, `${name} holds types more than ${IDL_LIMITS.depth} levels deep`);
      return;
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
    const contracts = new Set(this.#unit.manifest.contracts.map(({ name }) => name));
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
    const { interfaces, contracts, structs, enums, aliases } = this.#unit.manifest;
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
