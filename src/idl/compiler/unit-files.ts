import type { CodecSelection } from '../generators/codecs/codec-functions.js';
import { type CodecsModule, generateCodecs } from '../generators/codecs/codecs-module.js';
import { generateTypeScript } from '../generators/typescript.js';
import type { Manifest } from '../manifest.js';

/** A file to write, by its name in the output directory. */
export interface GeneratedFile {
  readonly name: string;
  readonly text: string;
}

/** A unit of IDL texts, and what the modules generated from it are called. */
export interface FileUnit {
  /** Names of the IDL files. */
  readonly sources: readonly string[];
  readonly manifest: Manifest;
  /** Returns the path of a `src/idl` module by name. */
  readonly idlModule: (name: string) => string;
  /** File name without extension, such as `node-rpc-v1`. */
  readonly file: string;
  /** The same in Pascal case. */
  readonly name: string;
  /** Another unit, whose types are imported from its modules. */
  readonly base?: { readonly file: string; readonly declares: (type: string) => boolean };
  /** See {@link generateCodecs}. */
  readonly selection?: CodecSelection;
}

/** The input that both modules of a unit's codecs have. */
export function codecsModule({ sources, manifest, idlModule, file, base }: FileUnit): CodecsModule {
  const declares = (type: string): boolean => base?.declares(type) !== true;
  const own = { from: `./${file}.js`, declares };
  const types = base === undefined ? [own] : [{ from: `./${base.file}.js`, declares: base.declares }, own];
  return { sources, manifest, idlModule, types };
}

/** Generates the types and the codecs of a unit. @returns also the codecs that it imports from the base */
export function unitFiles(unit: FileUnit): {
  readonly files: readonly GeneratedFile[];
  readonly imported: CodecSelection;
} {
  const { sources, manifest, idlModule, file, name, base, selection } = unit;
  const stem = name.charAt(0).toLowerCase() + name.slice(1);
  const typesName = `${name}Types`;
  const types = generateTypeScript({
    sources,
    manifest,
    idlModule,
    typesName,
    declares: (type) => base?.declares(type) !== true,
    manifestName: `${stem}Manifest`,
    ...(base && { importsFrom: `./${base.file}.js` }),
  });
  const { text, imported } = generateCodecs({
    ...codecsModule(unit),
    typesName,
    typesFrom: `./${file}.js`,
    stem,
    ...(base && { others: { from: `./${base.file}-codecs.js`, declares: base.declares } }),
    ...(selection && { selection }),
  });
  const files = [
    { name: `${file}.ts`, text: types },
    { name: `${file}-codecs.ts`, text },
  ];
  return { files, imported };
}

/** `HttpShop` → `http-shop`. */
export function kebabCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
}
