import { BinaryReader } from '../../wasm/binary-reader.js';
import { BinaryWriter } from '../../wasm/binary-writer.js';
import { ModuleRefused } from '../../wasm/module-refused.js';
import { MODULE_HEADER } from '../../wasm/sections.js';
import type { PrepareVariant } from '../engine.js';
import { EngineError } from '../errors.js';
import { ENTRY_POINTS, type EntryPoint } from './metered-interface.js';
import { SCHEDULE_VERSION } from './schedule.js';

/** Version of the output of `instrument`. */
const FORMAT_VERSION = 6;

/** Version required of prepared code: changes with the instrumenter and with the gas schedule. */
export const CODE_VERSION = FORMAT_VERSION * 65_536 + SCHEDULE_VERSION;

/** Custom sections of prepared code: a `WebAssembly.Module` alone carries all that the engine knows of it. */
export const FACTS_SECTION = 'heddle:facts';
export const NAMES_SECTION = 'heddle:names';

/** The facts about prepared code that the engine needs to run it. */
export interface PreparedFacts {
  readonly version: number;
  readonly variant: PrepareVariant;
  readonly entryPoints: readonly EntryPoint[];
  /** Pages of memory that an instance starts with. */
  readonly initialPages: number;
  /** Gas charged for entering the contract; required before an instance is prepared. */
  readonly instanceGas: number;
  /** Maximum pages declared by the module, capped at the engine's limit. */
  readonly maxPages: number;
  /** Numbers of imported and defined functions in the original module, and the shift of the latter's indices. */
  readonly importedFunctions: number;
  readonly definedFunctions: number;
  readonly functionShift: number;
  /** Upper bound of V8's machine code for the plain variant, in bytes. */
  readonly machineCode: number;
  /** Number of entries in the table and in the element segments; an instance may hold all of them. */
  readonly entries: number;
}

export function encodeFacts(facts: PreparedFacts): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(facts));
}

/** @throws EngineError `unusable_prepared_code` */
export function factsOf(module: WebAssembly.Module): PreparedFacts {
  const [section] = WebAssembly.Module.customSections(module, FACTS_SECTION);
  return decodeFacts(section === undefined ? undefined : new Uint8Array(section));
}

/** Reads the same facts from a module that is not compiled. @throws EngineError `unusable_prepared_code` */
export function factsInBytes(prepared: Uint8Array): PreparedFacts {
  return decodeFacts(firstSection(prepared));
}

function firstSection(prepared: Uint8Array): Uint8Array | undefined {
  const reader = new BinaryReader(prepared, MODULE_HEADER.length);
  try {
    if (reader.byte() !== 0) return undefined;
    reader.end = reader.u32() + reader.offset;
    const name = reader.name(FACTS_SECTION.length);
    return name === FACTS_SECTION ? reader.take(reader.end - reader.offset) : undefined;
  } catch (error) {
    if (error instanceof ModuleRefused) return undefined;
    throw error;
  }
}

function decodeFacts(section: Uint8Array | undefined): PreparedFacts {
  const facts = section === undefined ? undefined : parse(section);
  if (!isPreparedFacts(facts)) {
    throw new EngineError('unusable_prepared_code', 'the module was not made by the instrumenter');
  }
  if (facts.version !== CODE_VERSION) {
    const why = `expected code prepared by version ${CODE_VERSION}, got version ${facts.version}`;
    throw new EngineError('unusable_prepared_code', why);
  }
  return facts;
}

/** Reads function names by index in the original module, as `encodeNames` wrote them. */
export function namesOf(module: WebAssembly.Module): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  const [section] = WebAssembly.Module.customSections(module, NAMES_SECTION);
  if (section !== undefined) {
    const reader = new BinaryReader(new Uint8Array(section));
    while (!reader.atEnd) names.set(reader.u32(), reader.name(reader.bytes.length));
  }
  return names;
}

/**
 * Encodes the names of existing functions as a sequence of index and name. Characters are not escaped, so the result is
 * never longer than the original's section.
 */
export function encodeNames(names: ReadonlyMap<number, string>, functions: number): Uint8Array {
  const out = new BinaryWriter();
  for (const [index, name] of names) {
    if (index < functions) out.u32(index).name(name);
  }
  return out.finish();
}

function parse(section: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(section));
  } catch (error) {
    throw new EngineError('unusable_prepared_code', `section ${FACTS_SECTION} is damaged`, { cause: error });
  }
}

const NUMBERS = [
  'version',
  'initialPages',
  'maxPages',
  'instanceGas',
  'importedFunctions',
  'definedFunctions',
  'functionShift',
  'machineCode',
  'entries',
] as const;

function isPreparedFacts(value: unknown): value is PreparedFacts {
  if (typeof value !== 'object' || value === null) return false;
  const facts: Partial<Record<keyof PreparedFacts, unknown>> = value;
  return (
    NUMBERS.every((key) => Number.isSafeInteger(facts[key])) &&
    (facts.variant === 'plain' || facts.variant === 'observed') &&
    Array.isArray(facts.entryPoints) &&
    facts.entryPoints.every((entry) => ENTRY_POINTS.includes(entry))
  );
}
