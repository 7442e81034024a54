import { type AddressUse, UnreportedUses } from './unreported-uses.js';

/** Learns what the threads of this node charge to addresses; on the main thread, or a proxy for it. */
export interface AddressReports {
  /** Resolves when the uses are counted, or dropped because the other nodes cannot learn of them. */
  report(uses: readonly AddressUse[]): Promise<void>;
}

/** Longest time from the charge that makes a client due to its report, if the last report is settled. */
export const REPORT_MS = 250;
/** Maximum number of clients in one report. */
const MAX_REPORTED = 1_024;

/** Reports the uses of one thread, the heaviest first and one report at a time. A thread without due clients is idle. */
export class AddressReporter {
  readonly uses: UnreportedUses;
  readonly #reports: AddressReports;
  /** Set from the first due client until its report is settled. */
  #timer: NodeJS.Timeout | undefined;

  /** @param threads number of threads that charge on this node */
  constructor(reports: AddressReports, threads: number) {
    this.#reports = reports;
    this.uses = new UnreportedUses(threads, () => this.#wait());
  }

  #wait(): void {
    this.#timer ??= setTimeout(() => void this.#send(), REPORT_MS).unref();
  }

  async #send(): Promise<void> {
    try {
      const uses = this.uses.take(MAX_REPORTED);
      if (uses.length > 0) await this.#reports.report(uses);
    } catch {
      // The main thread has logged it. These units count on this node alone.
    }
    this.#timer = undefined;
    if (this.uses.due > 0) this.#wait();
  }
}
