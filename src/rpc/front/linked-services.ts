import type { AddressReports } from '../access/address-reporter.js';
import type { TokenService } from '../access/token-service.js';
import type { UsageReports } from '../access/usage/usage-counter.js';
import type { MainLink } from './main-link.js';

/** A front thread's proxy for the main thread's tokens. */
export function linkedTokens(link: MainLink): TokenService {
  return {
    open: (token) => link.ask({ kind: 'open_token', token }),
    refill: (id, price) => link.ask({ kind: 'refill_token', id, price }),
    lease: (id, price) => link.ask({ kind: 'lease_rate', id, price }),
  };
}

/** A front thread's proxy for the main thread's usage of tokens. */
export function linkedUsage(link: MainLink): UsageReports {
  return { report: (usage) => link.ask({ kind: 'report_usage', usage }) };
}

/** A front thread's proxy for the main thread's part of address rates over a fleet. */
export function linkedAddressReports(link: MainLink): AddressReports {
  return { report: (uses) => link.ask({ kind: 'report_addresses', uses }) };
}
