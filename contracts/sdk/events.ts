import * as host from "./host";
import { Writer } from "./writer";

/** Builds an event: topics, then data. */
@unmanaged
@final
export class EventWriter {
  private readonly topics: usize;
  private count: u32;

  /** @param topic0 32 bytes of static memory @param indexed number of further topics, at most 3 */
  constructor(topic0: usize, indexed: u32) {
    this.topics = heap.alloc(32 * (indexed + 1));
    memory.copy(this.topics, topic0, 32);
    this.count = 1;
  }

  /** Adds a topic for an indexed field's encoding: left-padded, or hashed if longer than 32 bytes. */
  topic(encoding: Writer): void {
    const at = this.topics + 32 * this.count;
    const length = encoding.length;
    if (length > 32) host.sha256(encoding.pointer, length, at);
    else {
      memory.fill(at, 0, 32 - length);
      memory.copy(at + 32 - length, encoding.pointer, length);
    }
    this.count += 1;
  }

  /** Emits the event with its topics and these data. */
  emit(data: Writer): void {
    host.emit(this.topics, this.count, data.pointer, data.length);
  }
}
