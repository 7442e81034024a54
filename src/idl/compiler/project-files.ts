import { mergeSelections } from '../generators/codecs/codec-functions.js';
import { generateSelectedCodecs } from '../generators/codecs/codecs-module.js';
import { generateClient } from '../generators/typescript.js';
import { compileIdl } from './compile.js';
import type { IdlSource } from './diagnostics.js';
import { DEV_V1, LEDGER, MESH, NODE_RPC_V1, VERIFY } from './project-selections.js';
import { codecsModule, type FileUnit, type GeneratedFile, kebabCase, unitFiles } from './unit-files.js';

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
  const rpc = unitOver(ledgerSource, rpcSource, 'NodeRpcV1');
  const { manifest } = rpc;
  const allNames = [...manifest.structs, ...manifest.enums].map(({ name }) => name);
  const units = [
    // `toJson` of `heddle/client` writes every type.
    unitFiles({ ...rpc, selection: { ...NODE_RPC_V1, writeJson: allNames } }),
    unitFiles({
      ...unitOver(ledgerSource, { name: 'idl/mesh.idl', text: mesh, binary: true }, 'Mesh'),
      selection: MESH,
    }),
    unitFiles({
      ...unitOver(ledgerSource, { name: 'idl/dev_v1.idl', text: dev }, 'DevV1'),
      selection: DEV_V1,
    }),
  ];
  const ledgerFiles = unitFiles({
    sources: [ledgerSource.name],
    manifest: compileIdl([ledgerSource]).manifest,
    idlModule,
    file: 'ledger',
    name: 'Ledger',
    selection: mergeSelections([LEDGER, ...units.map(({ imported }) => imported)]),
  });
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
    ...[ledgerFiles, ...units].flatMap(({ files }) => files),
    { name: 'verify-codecs.ts', text: generateSelectedCodecs(codecsModule(rpc), VERIFY) },
    ...clients,
  ];
}

/** A unit of an IDL file whose types have parts of the ledger's types. */
function unitOver(ledgerSource: IdlSource, source: IdlSource, name: string): FileUnit {
  const { manifest, declaredIn } = compileIdl([ledgerSource, source]);
  return {
    sources: [ledgerSource.name, source.name],
    manifest,
    idlModule,
    file: kebabCase(name),
    name,
    base: { file: 'ledger', declares: (type) => declaredIn.get(type) === ledgerSource.name },
  };
}
