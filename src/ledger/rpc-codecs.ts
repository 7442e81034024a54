import { type NodeRpcV1Types, nodeRpcV1Manifest } from '../generated/node-rpc-v1.js';
import { type CodecTable, compileTypes } from '../idl/codecs/codecs.js';
import { compileInterface, type MethodCodec } from '../idl/codecs/interface-codecs.js';

/** Codecs of every type of the API, the ledger's included. */
export const rpcTypes: CodecTable<NodeRpcV1Types> = compileTypes<NodeRpcV1Types>(nodeRpcV1Manifest);

/** Codecs of every method of the API, by plain name. */
export const rpcMethods: ReadonlyMap<string, MethodCodec> = compileInterface(nodeRpcV1Manifest, 'NodeRpcV1');
