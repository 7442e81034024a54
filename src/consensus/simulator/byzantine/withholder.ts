import type { Packet } from '../model.js';
import { SimNode } from '../sim-node.js';

/** Does what is right, but for some only: which peers get its votes, certificates or blocks changes all the time. */
export class Withholder extends SimNode {
  override readonly honest = false;
  readonly #withheld: Packet['type'] = this.world.random.pick(['vote', 'certificate', 'block'] as const);

  protected override transmit(to: number, packet: Packet): void {
    if (packet.type === this.#withheld && this.world.random.chance(0.7)) return;
    super.transmit(to, packet);
  }
}
