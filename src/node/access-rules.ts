import type { Rate } from '../async/gcra.js';
import type { Config } from '../config/config.js';
import { EMBEDDED_QUOTA_STORE } from '../config/quota-store-url.js';
import { nodeRpcV1Manifest } from '../generated/node-rpc-v1.js';
import type { AccessRules } from '../rpc/access/access.js';
import type { PaidAccess } from '../rpc/access/paid-access.js';
import { isFollower } from './follower/trust-anchor.js';

/** Cost of the most expensive method, in compute units. */
export const MAX_COST = Math.max(
  ...nodeRpcV1Manifest.interfaces.flatMap(({ methods }) => methods.map(({ cost }) => cost)),
);

export function accessRules(config: Config): AccessRules {
  const { publicRate, paidRate, tokenIssuerKeys, maxCallGas, maxCallMs } = config;
  const paidAccess = paidAccessOf(config);
  return {
    paidAccess,
    addressRates: {
      public: publicRate === 0 ? undefined : rateOf(publicRate, config),
      paid: paidAccess === 'metered' ? rateOf(paidRate, config) : undefined,
    },
    issuerKeyFiles: tokenIssuerKeys,
    maxCost: MAX_COST,
    maxCallGas,
    maxCallMs,
    sharedFallback: config.quotaStore === EMBEDDED_QUOTA_STORE ? undefined : config.quotaFallback,
  };
}

export function paidAccessOf(config: Config): PaidAccess {
  const isDevelopmentChain = config.genesisFile === undefined && !isFollower(config);
  return config.paidAccess ?? (isDevelopmentChain ? 'open' : 'metered');
}

function rateOf(perSecond: number, { rateBurst }: Config): Rate {
  return { perSecond, burst: Math.max(MAX_COST, perSecond * rateBurst) };
}
