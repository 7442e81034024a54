import { SimNode } from '../sim-node.js';

/** Receives and says nothing. */
export class Silent extends SimNode {
  override readonly honest = false;

  override receive(): void {
    // What comes is lost on it.
  }

  protected override transmit(): void {
    // Nothing leaves.
  }
}
