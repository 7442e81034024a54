import { CpuMonitor } from './cpu-monitor.js';
import { EventLoopMonitor } from './event-loop-monitor.js';

/** Event loop and CPU metrics of its thread. */
export class ThreadMonitor {
  readonly eventLoop = new EventLoopMonitor();
  readonly cpu = new CpuMonitor();

  stop(): void {
    this.eventLoop.stop();
    this.cpu.stop();
  }
}
