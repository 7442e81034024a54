import type { CallScheduler } from '../../execution/calls/call-scheduler.js';
import { limitExceeded } from '../errors.js';
import { laterResult, type MethodHandlers } from '../handlers.js';

/** What view calls need. */
export interface ViewSources {
  readonly views: CallScheduler;
  /** The most gas of one call. */
  readonly maxCallGas: number;
}

export type ViewHandlers = Pick<MethodHandlers, 'view_call'>;

/** Everything but the limit on gas is checked and done by the workers. Hot: guarded by `bench/view-call.bench.ts`. */
export function viewHandlers({ views, maxCallGas }: ViewSources): ViewHandlers {
  return {
    view_call: (args, call) => {
      if (args.gas_limit !== undefined && args.gas_limit > maxCallGas) {
        throw limitExceeded('call_gas', maxCallGas, args.gas_limit);
      }
      return laterResult((resolve, reject) => views.call(args, resolve, reject, call));
    },
  };
}
