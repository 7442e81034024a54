import { SlicedWork } from '../../src/async/sliced-work.js';
import type { Limits } from '../../src/config/limits.js';
import { type Account, type NodeRpcV1Methods, nodeRpcV1Manifest } from '../../src/generated/node-rpc-v1.js';
import { rpcMethods, rpcTypes } from '../../src/ledger/rpc-codecs.js';
import { Discovery } from '../../src/rpc/discovery.js';
import { RpcFrontEnd } from '../../src/rpc/front-end.js';
import { EncodedResult } from '../../src/rpc/handlers.js';
import { AllowedHosts } from '../../src/rpc/http/allowed-hosts.js';
import type { HttpServerOptions } from '../../src/rpc/http/http-server.js';
import type { NodeMetrics } from '../../src/rpc/metrics/node-metrics.js';
import { bindInterface } from '../../src/rpc/rpc-interface.js';
import { TestAccess } from '../../test/support/tokens/test-access.js';

type Cheap = Pick<NodeRpcV1Methods, 'status' | 'account'>;

const STATUS = `{"version":"0.1.0","chain_id":9545,"now_ms":1795250791113,"uptime_ms":2626,"block_time_ms":250,"tip":{"height":1,"hash":"${'d6'.repeat(32)}","timestamp_ms":1795250789739,"state_root":"${'a5'.repeat(32)}","epoch":0,"view":1},"finalized_height":1,"latest_checkpoint":{"height":0,"state_root":"${'a5'.repeat(32)}"},"txpool_size":0,"epoch":0,"validator_set":{"epoch":0,"quorum":1,"group_public_key":"0x${'97'.repeat(48)}","validators":[]},"syncing":false}`;

const nothing = (): void => undefined;

/** A front end with two handlers as cheap as a node's: one answers from a cache, one from memory. */
export async function benchFrontEnd({
  limits,
  metrics,
}: {
  readonly limits: Limits;
  readonly metrics: NodeMetrics;
}): Promise<{
  readonly httpOptions: Omit<HttpServerOptions, 'host' | 'port'>;
  /** The results, as JSON text. */
  readonly status: string;
  readonly account: string;
}> {
  const log = { debug: nothing, info: nothing, warn: console.warn, error: console.error };
  const status = new EncodedResult(STATUS);
  const account = (address: Uint8Array): Account => ({
    address,
    exists: true,
    balance: 1_000_000_000_000_000_000n,
    lanes: [{ lane: 0, next_nonce: 7n, pending: 0 }],
    deploy_index: 0n,
    is_contract: false,
  });
  const methods = new Map([...rpcMethods].filter(([name]) => name === 'status' || name === 'account'));
  const frontEnd = new RpcFrontEnd({
    work: new SlicedWork(),
    allowedHosts: AllowedHosts.of('127.0.0.1', []),
    interfaces: [
      bindInterface<Cheap>(methods, { status: () => status, account: ({ address }) => account(address) }),
    ],
    access: await (await TestAccess.open({ log })).access(),
    metrics: metrics.rpc,
    renderMetrics: () => metrics.render(),
    limits,
    discovery: new Discovery({
      idl: '',
      manifest: nodeRpcV1Manifest,
      limits: {},
      rpcUrl: () => 'http://localhost/v2/rpc',
    }),
    log,
    baseUrl: '',
    cors: { origins: [] },
  });
  return {
    httpOptions: frontEnd.httpOptions,
    status: STATUS,
    account: rpcTypes.Account.toJson(account(Buffer.alloc(20, 0xab))),
  };
}
