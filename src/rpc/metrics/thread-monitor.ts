import { CpuMonitor } from './cpu-monitor.js';
import { EventLoopMonitor } from './event-loop-monitor.js';

/** What is published of the thread that makes it. */
export class ThreadMonitor {
  readonly eventLoop = new EventLoopMonitor();
  readonly cpu = new CpuMonitor();

  stop(): void {
    this.eventLoop.stop();
    this.cpu.stop();
  }
}
