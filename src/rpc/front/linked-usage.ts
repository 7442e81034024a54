import type { TokenDay } from '../access/usage/usage.js';
import type { UsageReports } from '../access/usage/usage-counter.js';
import type { MainLink } from './main-link.js';

/** A front thread's proxy for the main thread's usage of tokens. */
export class LinkedUsage implements UsageReports {
  readonly #link: MainLink;

  constructor(link: MainLink) {
    this.#link = link;
  }

  async report(usage: readonly TokenDay[]): Promise<void> {
    await this.#link.ask({ kind: 'report_usage', usage });
  }
}
