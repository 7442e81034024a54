import type { AddressReports } from '../access/address-reporter.js';
import type { TokenService } from '../access/token-service.js';
import type { UsageReports } from '../access/usage/usage-counter.js';
import type { MainLink } from './main-link.js';

export function linkedTokens(link: MainLink): TokenService {
  return {
    open: (token) => link.ask({ kind: 'open_token', token }),
    refill: (id, price) => link.ask({ kind: 'refill_token', id, price }),
    lease: (id, price) => link.ask({ kind: 'lease_rate', id, price }),
  };
}

export function linkedUsage(link: MainLink): UsageReports {
  return { report: (usage) => link.ask({ kind: 'report_usage', usage }) };
}

export function linkedAddressReports(link: MainLink): AddressReports {
  return { report: (uses) => link.ask({ kind: 'report_addresses', uses }) };
}
