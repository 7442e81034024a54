import * as v from 'valibot';
import { BinaryReader } from '../../wasm/binary-reader.js';
import { BinaryWriter } from '../../wasm/binary-writer.js';
import { ModuleRefused } from '../../wasm/module-refused.js';
import { MODULE_HEADER } from '../../wasm/sections.js';
import type { PrepareVariant } from '../engine.js';
import { EngineError } from '../errors.js';
import { ENTRY_POINTS } from './metered-interface.js';
import { SCHEDULE_VERSION } from './schedule.js';

/** Version of the output of `instrument`. */
const FORMAT_VERSION = 6;

/** Version required of prepared code: changes with the instrumenter and with the gas schedule. */
export const CODE_VERSION = FORMAT_VERSION * 65_536 + SCHEDULE_VERSION;

/** Custom sections of prepared code: a `WebAssembly.Module` alone carries all that the engine knows of it. */
export const FACTS_SECTION = 'heddle:facts';
export const NAMES_SECTION = 'heddle:names';

const integer = v.pipe(v.number(), v.safeInteger());

const factsSchema = v.object({
  version: integer,
  variant: v.picklist(['plain', 'observed'] satisfies readonly PrepareVariant[]),
  entryPoints: v.array(v.picklist(ENTRY_POINTS)),
  /** Pages of memory that an instance starts with. */
  initialPages: integer,
  /** Gas charged for entering the contract; required before an instance is prepared. */
  instanceGas: integer,
  /** Maximum pages declared by the module, capped at the engine's limit. */
  maxPages: integer,
  /** Numbers of imported and defined functions in the original module, and the shift of the latter's indices. */
  importedFunctions: integer,
  definedFunctions: integer,
  functionShift: integer,
  /** Upper bound of V8's machine code for the plain variant, in bytes. */
  machineCode: integer,
  /** Number of entries in the table and in the element segments; an instance may hold all of them. */
  entries: integer,
});

/** The facts about prepared code that the engine needs to run it. */
export type PreparedFacts = Readonly<v.InferOutput<typeof factsSchema>>;

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
  const parsed = v.safeParse(factsSchema, section === undefined ? undefined : parse(section));
  if (!parsed.success) {
    throw new EngineError('unusable_prepared_code', 'the module was not made by the instrumenter');
  }
  const { version } = parsed.output;
  if (version !== CODE_VERSION) {
    const why = `expected code prepared by version ${CODE_VERSION}, got version ${version}`;
    throw new EngineError('unusable_prepared_code', why);
  }
  return parsed.output;
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
