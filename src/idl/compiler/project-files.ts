import {
  type CodecSelection,
  generateCodecs,
  generateSelectedCodecs,
} from '../generators/codecs/codecs-module.js';
import { type ClientPackage, generateContractClient } from '../generators/contract-client.js';
import { generateClient, generateTypeScript } from '../generators/typescript.js';
import { compileIdl } from './compile.js';
import { ContractCountError, type IdlSource } from './diagnostics.js';

/** The API and ledger types that `heddle/verify` reads and hashes. */
const VERIFY: CodecSelection = {
  readBorsh: ['AccountRecord', 'LedgerReceipt'],
  writeBorsh: ['BlockHeader', 'ValidatorSet'],
  readJson: [
    'BlockHeader',
    'CheckpointDescriptor',
    'FinalityCertificate',
    'FinalizedHistoryProofResult',
    'GetSnapshotChunkResult',
    'HistoryRoot',
    'InclusionProof',
    'TreeProof',
    'ValidatorSet',
  ],
};

/** Names that generated code uses without importing them, and `w`, the writer of generated codecs. */
const CODE_NAMES = ['ReadonlyMap', 'Uint8Array', 'w'];

/** The path of a module of `src/idl`, from `src/generated`. */
const idlModule = (name: string): string => `../idl/${name}.js`;

/** A file to write, by its name in the output directory. */
export interface GeneratedFile {
  readonly name: string;
  readonly text: string;
}

/**
 * Generates the files under `src/generated` from the project's own IDL.
 * @param ledger text of `idl/ledger.idl`
 * @param nodeRpc text of `idl/node_rpc_v1.idl`
 * @param mesh text of `idl/mesh.idl`
 * @param dev text of `idl/dev_v1.idl`
 * @throws IdlError
 */
export function generateProjectFiles(
  ledger: string,
  nodeRpc: string,
  mesh: string,
  dev: string,
): readonly GeneratedFile[] {
  const ledgerSource: IdlSource = { name: 'idl/ledger.idl', text: ledger, binary: true };
  const rpcSource: IdlSource = { name: 'idl/node_rpc_v1.idl', text: nodeRpc };
  const ledgerUnit = compileIdl([ledgerSource]);
  const unit = compileIdl([ledgerSource, rpcSource]);
  const ledgerModule = {
    sources: [ledgerSource.name],
    manifest: ledgerUnit.manifest,
    typesName: 'LedgerTypes',
    idlModule,
  };
  const rpcModule = { sources: [ledgerSource.name, rpcSource.name], manifest: unit.manifest, idlModule };
  const isOfLedger = (name: string): boolean => unit.declaredIn.get(name) === ledgerSource.name;
  const typeModules = [
    { from: './ledger.js', declares: isOfLedger },
    { from: './node-rpc-v1.js', declares: (name: string) => !isOfLedger(name) },
  ];
  const clients = unit.manifest.interfaces.map((definition) => ({
    name: `${kebabCase(definition.name)}-client.ts`,
    text: generateClient({
      source: rpcSource.name,
      manifest: unit.manifest,
      definition,
      typesFrom: './node-rpc-v1.js',
      parameters: { name: 'TextOrBytes', from: idlModule('codecs/text-json-writer') },
    }),
  }));
  return [
    {
      name: 'ledger.ts',
      text: generateTypeScript({
        ...ledgerModule,
        declares: () => true,
        manifestName: 'ledgerManifest',
      }),
    },
    {
      name: 'node-rpc-v1.ts',
      text: generateTypeScript({
        ...rpcModule,
        declares: (name) => unit.declaredIn.get(name) === rpcSource.name,
        importsFrom: './ledger.js',
        typesName: 'NodeRpcV1Types',
        manifestName: 'nodeRpcV1Manifest',
      }),
    },
    {
      name: 'ledger-codecs.ts',
      text: generateCodecs({
        ...ledgerModule,
        types: [{ from: './ledger.js', declares: () => true }],
        typesFrom: './ledger.js',
        stem: 'ledger',
      }),
    },
    {
      name: 'node-rpc-v1-codecs.ts',
      text: generateCodecs({
        ...rpcModule,
        types: typeModules,
        typesName: 'NodeRpcV1Types',
        typesFrom: './node-rpc-v1.js',
        stem: 'nodeRpcV1',
        others: { from: './ledger-codecs.js', declares: isOfLedger },
      }),
    },
    {
      name: 'verify-codecs.ts',
      text: generateSelectedCodecs({ ...rpcModule, types: typeModules }, VERIFY),
    },
    ...clients,
    ...meshFiles(ledgerSource, { name: 'idl/mesh.idl', text: mesh, binary: true }),
    ...devFiles(ledgerSource, { name: 'idl/dev_v1.idl', text: dev }),
  ];
}

/** Generates types and codecs of the development controls; their client is `src/client/dev-controls.ts`. */
function devFiles(ledgerSource: IdlSource, devSource: IdlSource): readonly GeneratedFile[] {
  const unit = compileIdl([ledgerSource, devSource]);
  const isOfLedger = (name: string): boolean => unit.declaredIn.get(name) === ledgerSource.name;
  const isOfDev = (name: string): boolean => !isOfLedger(name);
  const devModule = {
    sources: [ledgerSource.name, devSource.name],
    manifest: unit.manifest,
    typesName: 'DevV1Types',
    idlModule,
  };
  return [
    {
      name: 'dev-v1.ts',
      text: generateTypeScript({
        ...devModule,
        declares: isOfDev,
        importsFrom: './ledger.js',
        manifestName: 'devV1Manifest',
      }),
    },
    {
      name: 'dev-v1-codecs.ts',
      text: generateCodecs({
        ...devModule,
        types: [
          { from: './ledger.js', declares: isOfLedger },
          { from: './dev-v1.js', declares: isOfDev },
        ],
        typesFrom: './dev-v1.js',
        stem: 'devV1',
        others: { from: './ledger-codecs.js', declares: isOfLedger },
      }),
    },
  ];
}

/** Generates types and codecs of the messages between validators. */
function meshFiles(ledgerSource: IdlSource, meshSource: IdlSource): readonly GeneratedFile[] {
  const unit = compileIdl([ledgerSource, meshSource]);
  const isOfMesh = (name: string): boolean => unit.declaredIn.get(name) === meshSource.name;
  const isOfLedger = (name: string): boolean => !isOfMesh(name);
  const meshModule = {
    sources: [ledgerSource.name, meshSource.name],
    manifest: unit.manifest,
    typesName: 'MeshTypes',
    idlModule,
  };
  return [
    {
      name: 'mesh.ts',
      text: generateTypeScript({
        ...meshModule,
        declares: isOfMesh,
        importsFrom: './ledger.js',
        manifestName: 'meshManifest',
      }),
    },
    {
      name: 'mesh-codecs.ts',
      text: generateCodecs({
        ...meshModule,
        types: [
          { from: './ledger.js', declares: isOfLedger },
          { from: './mesh.js', declares: isOfMesh },
        ],
        typesFrom: './mesh.js',
        stem: 'mesh',
        others: { from: './ledger-codecs.js', declares: isOfLedger },
      }),
    },
  ];
}

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
  return [{ name: `${fileStem}.ts`, text }, { name: `${fileStem}-codecs.ts`, text: codecs }, ...clients];
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

function kebabCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
}
