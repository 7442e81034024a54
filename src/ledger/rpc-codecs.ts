export {
  /** Codecs of every type of the API, the ledger's included. */
  nodeRpcV1Codecs as rpcTypes,
  /** Codecs of every method of the API, by plain name. */
  nodeRpcV1MethodCodecs as rpcMethods,
} from '../generated/node-rpc-v1-codecs.js';
