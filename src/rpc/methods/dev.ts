import type { DevV1Methods } from '../../generated/dev-v1.js';
import { devMethods } from '../../ledger/rpc-codecs.js';
import { RpcError } from '../errors.js';
import type { HandlersOf } from '../handlers.js';
import { type BoundInterface, bindInterface } from '../rpc-interface.js';

/** The handlers of `idl/dev_v1.idl`. */
export type DevHandlers = HandlersOf<DevV1Methods>;

export function bindDevV1(handlers: DevHandlers): BoundInterface {
  return bindInterface<DevV1Methods>(devMethods, handlers);
}

/** @param controls returns undefined, to refuse calls, on a node without controls and before there is a chain */
export function guardedDevHandlers(controls: () => DevHandlers | undefined): DevHandlers {
  const guarded = Array.from(devMethods.keys(), (name) => [
    name,
    (params: never, call: never) => {
      const handlers = controls();
      if (handlers === undefined) throw withoutControls();
      return handlers[name as keyof DevHandlers](params, call);
    },
  ]);
  // Each entry has the type of the handler it delegates to.
  return Object.fromEntries(guarded) as DevHandlers;
}

function withoutControls(): RpcError<'forbidden'> {
  const message =
    'development controls exist only on development chains, at the node that seals their blocks: heddle start without ' +
    '--genesis, --follow and --validator';
  return new RpcError('forbidden', message, {});
}
