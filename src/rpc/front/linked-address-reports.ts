import type { AddressReports, AddressUse } from '../access/address-reporter.js';
import type { MainLink } from './main-link.js';

/** A front thread's proxy for the main thread's part of address rates over a fleet. */
export class LinkedAddressReports implements AddressReports {
  readonly #link: MainLink;

  constructor(link: MainLink) {
    this.#link = link;
  }

  async report(uses: readonly AddressUse[]): Promise<void> {
    await this.#link.ask({ kind: 'report_addresses', uses });
  }
}
