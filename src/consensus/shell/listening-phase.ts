import { sleep } from '../../async/runtime.js';
import { quorumOf } from '../../ledger/validators/quorum.js';
import type { ShellContext } from './shell-context.js';

/** How long to wait for connected peers that stay silent: a newly started one has nothing to report. */
const PATIENCE_MS = 5_000;
const ASK_EACH_MS = 1_000;
const LOOK_EACH_MS = 20;

/**
 * The phase from a process's start until enough peers have reported their position. Without them there is no quorum,
 * and a node with an old journal must hear from them before it votes in a view where it may have voted before (rule 9).
 */
export class ListeningPhase {
  readonly #context: ShellContext;
  readonly #heard = new Set<number>();
  #isListening = false;

  constructor(context: ShellContext) {
    this.#context = context;
  }

  get isListening(): boolean {
    return this.#isListening;
  }

  begin(): void {
    this.#isListening = true;
  }

  onPosition(peer: number): void {
    if (this.#isListening) this.#heard.add(peer);
  }

  /** Discards the reports of the previous epoch. */
  restart(): void {
    this.#heard.clear();
  }

  /** Resolves when enough connected peers have answered, or enough have been connected but silent for the timeout. */
  async end(): Promise<void> {
    await this.#wait();
    this.#isListening = false;
  }

  async #wait(): Promise<void> {
    const { runtime, network, membership, lifecycle } = this.#context;
    let enoughSince: number | undefined;
    const asked = new Map<number, number>();
    while (lifecycle.isRunning) {
      const now = runtime.now();
      const others = quorumOf(membership.validators) - 1;
      const connected = network.connected();
      if (connected.filter((peer) => this.#heard.has(peer)).length >= others) return;
      enoughSince = connected.length >= others ? (enoughSince ?? now) : undefined;
      if (enoughSince !== undefined && now - enoughSince >= PATIENCE_MS) return;
      for (const peer of connected) {
        if (this.#heard.has(peer) || now - (asked.get(peer) ?? -ASK_EACH_MS) < ASK_EACH_MS) continue;
        asked.set(peer, now);
        this.#ask(peer);
      }
      await sleep(runtime, LOOK_EACH_MS, lifecycle.stopping);
    }
  }

  #ask(peer: number): void {
    const { network, core } = this.#context;
    const { epoch, view } = core.status();
    network.send(peer, { type: 'get_certificates', epoch, fromView: view, toView: view });
  }
}
