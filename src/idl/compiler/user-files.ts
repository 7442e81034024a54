import { type ClientPackage, generateContractClient } from '../generators/contract-client.js';
import { generateClient } from '../generators/typescript.js';
import { compileIdl } from './compile.js';
import { ContractCountError, type IdlSource } from './diagnostics.js';
import { type GeneratedFile, kebabCase, unitFiles } from './unit-files.js';

/** Names that generated code uses without importing them, and `w`, the writer of generated codecs. */
const CODE_NAMES = ['ReadonlyMap', 'Uint8Array', 'w'];

/**
 * Generates types, manifest, codecs and clients for a user's IDL, to use with the installed package.
 * @param stem file name without extension, such as `token`
 * @throws IdlError
 */
export function generateUserFiles(sources: readonly IdlSource[], stem: string): readonly GeneratedFile[] {
  const words = stem.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('') || 'Idl';
  const file = words.join('-') || 'idl';
  const { manifest } = compileIdl(sources, ({ interfaces }) => [
    ...CODE_NAMES,
    `${name}Types`,
    ...interfaces.map((definition) => `${definition.name}Methods`),
  ]);
  const names = sources.map((source) => source.name);
  const idlModule = (module: string): string => `heddle/idl/${module}`;
  const { files } = unitFiles({ sources: names, manifest, idlModule, file, name });
  const clients = manifest.interfaces.map((definition) => ({
    name: `${kebabCase(definition.name)}-client.ts`,
    text: generateClient({
      source: names.join(' and '),
      manifest,
      definition,
      typesFrom: `./${file}.js`,
    }),
  }));
  return [...files, ...clients];
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
