import type { AccessMemory } from '../rpc/access/access.js';
import { AddressRates } from '../rpc/access/address-rates.js';
import { purgeDaily } from '../rpc/access/daily-purge.js';
import { FleetAddresses } from '../rpc/access/fleet-addresses.js';
import { FleetQuotas } from '../rpc/access/fleet-quotas.js';
import { RateLeases } from '../rpc/access/rate-leases.js';
import type { RedisQuotaStore } from '../rpc/access/redis/redis-quota-store.js';
import { TokenManager } from '../rpc/access/token-manager.js';
import { createTokenFiles, issueToken } from '../rpc/access/token-setup.js';
import { TokenSlots } from '../rpc/access/token-slots.js';
import { UsageBook } from '../rpc/access/usage/usage-book.js';
import { watchQuotaStore } from '../rpc/metrics/service-metrics.js';
import { accessRules, MAX_COST } from './access-rules.js';
import type { NodeContext } from './node-context.js';
import { openQuotaStore } from './open-quota-store.js';

export interface OpenedTokens {
  readonly manager: TokenManager;
  readonly usage: UsageBook;
  /** Undefined unless several nodes share the rates of addresses. */
  readonly addresses: FleetAddresses | undefined;
}

/** Opens the node's tokens, and creates missing token files. @throws AccessError, StoreError, QuotaError */
export async function openTokens(context: NodeContext, memory: AccessMemory): Promise<OpenedTokens> {
  const { config, log, now, base, faults, teardown } = context;
  const files = { dataDirectory: config.dataDir, log, now };
  const { store, shared, usage: usageStore, close } = await openQuotaStore(config, base.store);
  teardown.add(close);
  const manager = new TokenManager({
    store,
    fleet: shared === undefined ? undefined : fleetOf(shared, context, memory),
    slots: new TokenSlots(memory.tokens),
    sign: (claims) => issueToken(files, claims),
    now,
    onFault: (error, where) => faults.report(error, where),
    onUnreturned: (tokens) =>
      log.warn({ tokens }, `${shared?.name} does not answer: the units on hand of ${tokens} tokens are lost`),
  });
  const usage = new UsageBook({
    store: usageStore,
    now,
    isShared: shared !== undefined,
    onFault: (error, where) => faults.report(error, where),
    onLost: (calls) => log.warn({ calls }, `the usage of ${calls} calls is lost: the store did not take it`),
  });
  // At once, because each may wait for a shared store that hangs.
  teardown.add(() => Promise.all([manager.close(), usage.close()]));
  const endPurges = purgeDaily(
    () => Promise.all([manager.purge(), usage.purge()]),
    (error) => faults.report(error, 'deleting expired tokens and old usage'),
  );
  teardown.add(endPurges);
  if (shared === undefined || shared.isUp) {
    await createTokenFiles(files, manager);
  } else {
    log.warn({}, `${shared.name} does not answer (${shared.why}): ${whileAway(config.quotaFallback)}`);
    // The tokens are recorded when they are used.
    await createTokenFiles(files, { register: async () => undefined, isRevoked: async () => false });
  }
  return {
    manager,
    usage,
    addresses: shared === undefined ? undefined : addressesOf(shared, context, memory),
  };
}

function addressesOf(
  store: RedisQuotaStore,
  { config, faults }: NodeContext,
  memory: AccessMemory,
): FleetAddresses | undefined {
  const { addressRates: limits } = accessRules(config);
  if (limits.public === undefined && limits.paid === undefined) return undefined;
  return new FleetAddresses({
    store,
    limits,
    rates: new AddressRates(memory.addresses),
    onFault: (error, where) => faults.report(error, where),
  });
}

function fleetOf(shared: RedisQuotaStore, context: NodeContext, memory: AccessMemory): FleetQuotas {
  const { config, log, metrics, faults } = context;
  const leases = new RateLeases(memory.leases);
  watchQuotaStore(metrics.registry, { isUp: () => shared.isUp, refusals: () => leases.refusals });
  return new FleetQuotas({
    store: shared,
    slots: new TokenSlots(memory.tokens),
    leases,
    fallback: config.quotaFallback,
    maxCost: MAX_COST,
    onChange: (isUp) => {
      if (isUp) log.info({}, `${shared.name} is back`);
      else log.warn({}, `${shared.name} is lost (${shared.why}): ${whileAway(config.quotaFallback)}`);
    },
    onFault: (error, where) => faults.report(error, where),
  });
}

function whileAway(fallback: 'deny' | 'local'): string {
  return fallback === 'deny'
    ? 'tokens that this node has not seen are refused, and so are calls of tokens with units or a rate once their units on hand are spent'
    : 'each node enforces rates alone, and prepaid calls are refused once their units on hand are spent';
}
