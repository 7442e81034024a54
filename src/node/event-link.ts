import type { EventSource } from '../rpc/subscriptions/channel-table.js';
import type { EventHub } from '../rpc/subscriptions/event-hub.js';

/** Connects the subscriptions of a thread with its chain. Either may be opened first. */
export class EventLink {
  #hub: EventHub | undefined;
  #source: EventSource | undefined;

  attach(hub: EventHub): void {
    this.#hub = hub;
    if (this.#source !== undefined) hub.open(this.#source);
  }

  open(source: EventSource): void {
    this.#source = source;
    this.#hub?.open(source);
  }
}
