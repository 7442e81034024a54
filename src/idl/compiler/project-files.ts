import { type CodecSelection, mergeSelections } from '../generators/codecs/codec-functions.js';
import { generateCodecs, generateSelectedCodecs } from '../generators/codecs/codecs-module.js';
import { generateClient, generateTypeScript } from '../generators/typescript.js';
import { compileIdl } from './compile.js';
import type { IdlSource } from './diagnostics.js';
import { DEV_V1, LEDGER, MESH, NODE_RPC_V1, VERIFY } from './project-selections.js';
import { type GeneratedFile, kebabCase } from './user-files.js';

/** The path of a module of `src/idl`, from `src/generated`. */
const idlModule = (name: string): string => `../idl/${name}.js`;

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
  const rpcUnit = unitOver(ledgerSource, rpcSource, 'NodeRpcV1');
  const { manifest } = rpcUnit.module;
  const allNames = [...manifest.structs, ...manifest.enums].map(({ name }) => name);
  const units = [
    // `toJson` of `heddle/client` writes every type.
    unitFiles(rpcUnit, { ...NODE_RPC_V1, writeJson: allNames }),
    unitFiles(unitOver(ledgerSource, { name: 'idl/mesh.idl', text: mesh, binary: true }, 'Mesh'), MESH),
    unitFiles(unitOver(ledgerSource, { name: 'idl/dev_v1.idl', text: dev }, 'DevV1'), DEV_V1),
  ];
  const clients = manifest.interfaces.map((definition) => ({
    name: `${kebabCase(definition.name)}-client.ts`,
    text: generateClient({
      source: rpcSource.name,
      manifest,
      definition,
      typesFrom: './node-rpc-v1.js',
      parameters: { name: 'TextOrBytes', from: idlModule('codecs/text-json-writer') },
    }),
  }));
  return [
    ...ledgerFiles(
      ledgerSource,
      units.map(({ imported }) => imported),
    ),
    ...units.flatMap(({ files }) => files),
    { name: 'verify-codecs.ts', text: generateSelectedCodecs(rpcUnit.module, VERIFY) },
    ...clients,
  ];
}

/** Generates types and codecs of the ledger, with the codecs that the other modules import. */
function ledgerFiles(source: IdlSource, imported: readonly CodecSelection[]): readonly GeneratedFile[] {
  const module = {
    sources: [source.name],
    manifest: compileIdl([source]).manifest,
    types: [{ from: './ledger.js', declares: () => true }],
    typesName: 'LedgerTypes',
    idlModule,
  };
  const selection = mergeSelections([LEDGER, ...imported]);
  const codecs = generateCodecs({ ...module, typesFrom: './ledger.js', stem: 'ledger', selection });
  return [
    {
      name: 'ledger.ts',
      text: generateTypeScript({ ...module, declares: () => true, manifestName: 'ledgerManifest' }),
    },
    { name: 'ledger-codecs.ts', text: codecs.text },
  ];
}

/** An IDL file whose types have parts of the ledger's types. @param name in Pascal case */
function unitOver(ledgerSource: IdlSource, source: IdlSource, name: string) {
  const { manifest, declaredIn } = compileIdl([ledgerSource, source]);
  const isOfLedger = (type: string): boolean => declaredIn.get(type) === ledgerSource.name;
  const declares = (type: string): boolean => !isOfLedger(type);
  const file = kebabCase(name);
  const types = [
    { from: './ledger.js', declares: isOfLedger },
    { from: `./${file}.js`, declares },
  ];
  const sources = [ledgerSource.name, source.name];
  const module = { sources, manifest, types, typesName: `${name}Types`, idlModule };
  return { file, stem: name.charAt(0).toLowerCase() + name.slice(1), isOfLedger, declares, module };
}

function unitFiles(
  { file, stem, isOfLedger, declares, module }: ReturnType<typeof unitOver>,
  selection: CodecSelection,
) {
  const types = generateTypeScript({
    ...module,
    declares,
    importsFrom: './ledger.js',
    manifestName: `${stem}Manifest`,
  });
  const { text, imported } = generateCodecs({
    ...module,
    typesFrom: `./${file}.js`,
    stem,
    others: { from: './ledger-codecs.js', declares: isOfLedger },
    selection,
  });
  const files: readonly GeneratedFile[] = [
    { name: `${file}.ts`, text: types },
    { name: `${file}-codecs.ts`, text },
  ];
  return { files, imported };
}
