import type { DevV1Methods } from '../../generated/dev-v1.js';
import type { NodeRpcV1Methods } from '../../generated/node-rpc-v1.js';
import { devMethods, rpcMethods } from '../../ledger/rpc-codecs.js';
import type { MainLink } from '../../rpc/front/main-link.js';
import {
  deferredResult,
  EncodedResult,
  type Handler,
  type HandlerContext,
  type MethodHandlers,
  Parked,
} from '../../rpc/handlers.js';
import type { DevHandlers } from '../../rpc/methods/dev.js';
import { forwardedSubmission } from '../../rpc/methods/transactions.js';
import type { MethodDeclaration } from '../../rpc/rpc-interface.js';

type MethodName = keyof NodeRpcV1Methods;
type AnyHandler = (params: unknown, call: HandlerContext) => ReturnType<Handler<unknown, never>>;

/** Handlers that forward every method of the node's interface to the main thread. */
export function forwardingHandlers(link: MainLink): MethodHandlers {
  const handlers = forwarding(link, rpcMethods) as Record<MethodName, AnyHandler>;
  const submit = handlers.tx_submit;
  return {
    ...handlers,
    tx_submit: (args, call) => {
      const forwarded = forwardedSubmission(args);
      return (args.wait?.type ?? 'none') === 'none'
        ? submit(forwarded, call)
        : submitAndWait(link, forwarded, call);
    },
  };
}

/** Handlers that forward every development control to the main thread. */
export function forwardingDevHandlers(link: MainLink): DevHandlers {
  return forwarding(link, devMethods) as Record<keyof DevV1Methods, AnyHandler>;
}

function forwarding(
  link: MainLink,
  methods: ReadonlyMap<string, Pick<MethodDeclaration, 'name' | 'qualifiedName'>>,
): Readonly<Record<string, AnyHandler>> {
  const forward =
    (name: string): AnyHandler =>
    (params, call) =>
      deferredResult((resolve, reject) => link.call(name, params, call, { resolve, reject }));
  return Object.fromEntries(
    Array.from(methods.values(), ({ name, qualifiedName }) => [name, forward(qualifiedName)]),
  );
}

/** Forwards a call that is answered once its transaction is in a block. */
function submitAndWait(
  link: MainLink,
  args: ReturnType<typeof forwardedSubmission>,
  call: HandlerContext,
): Promise<EncodedResult | Parked<never>> {
  return new Promise((resolve, reject) => {
    const outcome = new Promise<EncodedResult>((answer, fail) => {
      link.call('NodeRpcV1.tx_submit', args, call, {
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
