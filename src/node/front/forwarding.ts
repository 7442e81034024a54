import type { NodeRpcV1Methods } from '../../generated/node-rpc-v1.js';
import { rpcMethods } from '../../ledger/rpc-codecs.js';
import type { MainLink } from '../../rpc/front/main-link.js';
import {
  type CallContext,
  deferredResult,
  EncodedResult,
  type Handler,
  type MethodHandlers,
  Parked,
} from '../../rpc/handlers.js';

type MethodName = keyof NodeRpcV1Methods;
type AnyHandler = (params: unknown, call: CallContext) => ReturnType<Handler<unknown, never>>;

/** Handlers that forward every method to the main thread. */
export function forwardingHandlers(link: MainLink): MethodHandlers {
  const forward =
    (name: MethodName): AnyHandler =>
    (params, call) =>
      deferredResult((resolve, reject) => link.call(name, params, call, { resolve, reject }));
  const handlers = Object.fromEntries(
    [...rpcMethods.keys()].map((name) => [name, forward(name as MethodName)]),
  ) as Record<MethodName, AnyHandler>;
  const submit = handlers.tx_submit;
  return {
    ...handlers,
    tx_submit: (args, call) =>
      (args.wait?.type ?? 'none') === 'none' ? submit(args, call) : submitAndWait(link, args, call),
  };
}

/** Forwards a call that is answered once its transaction is in a block. */
function submitAndWait(
  link: MainLink,
  args: NodeRpcV1Methods['tx_submit']['params'],
  call: CallContext,
): Promise<EncodedResult | Parked<never>> {
  return new Promise((resolve, reject) => {
    const outcome = new Promise<EncodedResult>((answer, fail) => {
      link.call('tx_submit', args, call, {
        resolve: (json) => answer(new EncodedResult(json)),
        reject: fail,
        onParked: () => {
          const settled = () => undefined;
          resolve(new Parked(outcome.then(settled, settled), () => outcome as Promise<never>));
        },
      });
    });
    // A parked call has been resolved already, so these have no effect on it.
    outcome.then(resolve, reject);
  });
}
