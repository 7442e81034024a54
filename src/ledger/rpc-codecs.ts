export {
  /** Codecs of every API type, ledger types included. */
  nodeRpcV1Codecs as rpcTypes,
  /** Codecs of every API method, by plain name. */
  nodeRpcV1MethodCodecs as rpcMethods,
} from '../generated/node-rpc-v1-codecs.js';
