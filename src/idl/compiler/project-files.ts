import { generateClient, generateTypeScript } from '../generators/typescript.js';
import { compileIdl } from './compile.js';
import type { IdlSource } from './diagnostics.js';

/** A file to be written, by its name inside the output directory. */
export interface GeneratedFile {
  readonly name: string;
  readonly text: string;
}

/**
 * The files under `src/generated`, made from the project's own IDL.
 * @param ledger text of `idl/ledger.idl`
 * @param nodeRpc text of `idl/node_rpc_v1.idl`
 * @throws IdlError
 */
export function generateProjectFiles(ledger: string, nodeRpc: string): readonly GeneratedFile[] {
  const ledgerSource: IdlSource = { name: 'idl/ledger.idl', text: ledger, binary: true };
  const rpcSource: IdlSource = { name: 'idl/node_rpc_v1.idl', text: nodeRpc };
  const ledgerUnit = compileIdl([ledgerSource]);
  const unit = compileIdl([ledgerSource, rpcSource]);
  const idlModule = (name: string): string => `../idl/${name}.js`;
  const clients = unit.manifest.interfaces.map((definition) => ({
    name: `${kebabCase(definition.name)}-client.ts`,
    text: generateClient({
      source: rpcSource.name,
      manifest: unit.manifest,
      definition,
      typesFrom: './node-rpc-v1.js',
    }),
  }));
  return [
    {
      name: 'ledger.ts',
      text: generateTypeScript({
        sources: [ledgerSource.name],
        manifest: ledgerUnit.manifest,
        declares: () => true,
        typesName: 'LedgerTypes',
        manifestName: 'ledgerManifest',
        idlModule,
      }),
    },
    {
      name: 'node-rpc-v1.ts',
      text: generateTypeScript({
        sources: [ledgerSource.name, rpcSource.name],
        manifest: unit.manifest,
        declares: (name) => unit.declaredIn.get(name) === rpcSource.name,
        importsFrom: './ledger.js',
        typesName: 'NodeRpcV1Types',
        manifestName: 'nodeRpcV1Manifest',
        idlModule,
      }),
    },
    ...clients,
  ];
}

/**
 * One module with types, manifest and codecs for IDL texts of a user's own, to be used beside the installed package.
 * @param stem file name without ending, such as `token`
 * @throws IdlError
 */
export function generateUserFiles(sources: readonly IdlSource[], stem: string): readonly GeneratedFile[] {
  const { manifest } = compileIdl(sources);
  const words = stem.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('') || 'Idl';
  const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1);
  const fileStem = words.join('-') || 'idl';
  const text = generateTypeScript({
    sources: sources.map(({ name }) => name),
    manifest,
    declares: () => true,
    typesName: `${pascal}Types`,
    manifestName: `${camel}Manifest`,
    codecsName: `${camel}Codecs`,
    idlModule: (name) => `heddle/idl/${name}`,
  });
  const clients = manifest.interfaces.map((definition) => ({
    name: `${kebabCase(definition.name)}-client.ts`,
    text: generateClient({
      source: sources.map(({ name }) => name).join(' and '),
      manifest,
      definition,
      typesFrom: `./${fileStem}.js`,
    }),
  }));
  return [{ name: `${fileStem}.ts`, text }, ...clients];
}

function kebabCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
}
