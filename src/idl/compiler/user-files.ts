import { generateCodecs } from '../generators/codecs/codecs-module.js';
import { type ClientPackage, generateContractClient } from '../generators/contract-client.js';
import { generateClient, generateTypeScript } from '../generators/typescript.js';
import { compileIdl } from './compile.js';
import { ContractCountError, type IdlSource } from './diagnostics.js';

/** A file to write, by its name in the output directory. */
export interface GeneratedFile {
  readonly name: string;
  readonly text: string;
}

/** Names that generated code uses without importing them, and `w`, the writer of generated codecs. */
const CODE_NAMES = ['ReadonlyMap', 'Uint8Array', 'w'];

/**
 * Generates types, manifest, codecs and clients for a user's IDL, to use with the installed package.
 * @param stem file name without extension, such as `token`
 * @throws IdlError
 */
export function generateUserFiles(sources: readonly IdlSource[], stem: string): readonly GeneratedFile[] {
  const words = stem.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('') || 'Idl';
  const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1);
  const fileStem = words.join('-') || 'idl';
  const { manifest } = compileIdl(sources, ({ interfaces }) => [
    ...CODE_NAMES,
    `${pascal}Types`,
    ...interfaces.map(({ name }) => `${name}Methods`),
  ]);
  const names = sources.map(({ name }) => name);
  const module = {
    sources: names,
    manifest,
    typesName: `${pascal}Types`,
    idlModule: (name: string): string => `heddle/idl/${name}`,
  };
  const text = generateTypeScript({ ...module, declares: () => true, manifestName: `${camel}Manifest` });
  const codecs = generateCodecs({
    ...module,
    types: [{ from: `./${fileStem}.js`, declares: () => true }],
    typesFrom: `./${fileStem}.js`,
    stem: camel,
  });
  const clients = manifest.interfaces.map((definition) => ({
    name: `${kebabCase(definition.name)}-client.ts`,
    text: generateClient({
      source: names.join(' and '),
      manifest,
      definition,
      typesFrom: `./${fileStem}.js`,
    }),
  }));
  return [{ name: `${fileStem}.ts`, text }, { name: `${fileStem}-codecs.ts`, text: codecs.text }, ...clients];
}

/**
 * Generates the typed client of the only contract that the IDL declares.
 * @throws IdlError, ContractCountError
 */
export function generateContractFile(
  sources: readonly IdlSource[],
  client: ClientPackage = 'heddle/client',
): GeneratedFile {
  const { manifest } = compileIdl(sources, ({ contracts }) => [
    ...CODE_NAMES,
    'heddle',
    ...contracts.map(({ name }) => `${name}Contract`),
  ]);
  const { contracts } = manifest;
  const [definition] = contracts;
  const names = sources.map(({ name }) => name).join(', ');
  if (definition === undefined) {
    throw new ContractCountError(
      `${names}: expected a contract, but none is declared; write: contract Name { … }`,
    );
  }
  if (contracts.length > 1) {
    const declared = contracts.map(({ name }) => name).join(', ');
    throw new ContractCountError(
      `${names}: expected one contract, got ${contracts.length}: ${declared}; keep each in a file of its own`,
    );
  }
  return {
    name: `${kebabCase(definition.name)}-contract.ts`,
    text: generateContractClient({
      sources: sources.map(({ name }) => name.replace(/^.*[\\/]/, '')),
      manifest,
      definition,
      idl: sources.map(({ text }) => text.trimEnd()).join('\n\n'),
      client,
    }),
  };
}

/** `HttpShop` → `http-shop`. */
export function kebabCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
}
