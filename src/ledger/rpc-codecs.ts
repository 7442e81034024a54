/** Codecs of the development controls, by plain name. */
export { devV1MethodCodecs as devMethods } from '../generated/dev-v1-codecs.js';
export {
  /** Codecs of API types, ledger types included. */
  nodeRpcV1Codecs as rpcTypes,
  /** Codecs of every API method, by plain name. */
  nodeRpcV1MethodCodecs as rpcMethods,
} from '../generated/node-rpc-v1-codecs.js';
