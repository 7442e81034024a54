import type { Bundle } from '../../../client/bundle.js';
import type { CallOptions, MethodName } from '../../../client/call-options.js';
import { ChainInfo } from '../../../client/chain-info.js';
import { ClientError } from '../../../client/client-error.js';
import { type ConnectOptions, connectionParts } from '../../../client/connection.js';
import { Client } from '../../../client/rpc-client.js';
import type { Signer } from '../../../client/signers.js';
import type { NodeRpcV1Methods } from '../../../generated/node-rpc-v1.js';
import type { TextOrBytes } from '../../../idl/codecs/text-json-writer.js';
import { toHex } from '../../../idl/hex.js';
import { ScriptSender, type ScriptSending } from './script-sender.js';

/** Methods that put transactions into the pool past the senders. */
const SUBMITTING: readonly MethodName[] = ['tx_submit', 'tx_submit_sealed', 'tx_submit_bundle'];

/** The client that a script gets. It has no way to send a transaction that the dry run does not show and no record has. */
export class ScriptClient extends Client {
  /** The connection of the senders. */
  readonly #plain: Client;
  readonly #facts: ChainInfo;
  readonly #sending: ScriptSending;
  readonly #senders = new Map<string, ScriptSender>();

  constructor(url: string, options: ConnectOptions, sending: ScriptSending) {
    super(connectionParts(url, options));
    this.#plain = new Client(connectionParts(url, options));
    this.#facts = new ChainInfo(this.#plain);
    this.#sending = sending;
  }

  override sender(signer: Signer, { lane = 0 }: { readonly lane?: number } = {}): ScriptSender {
    const key = `${toHex(signer.address)}/${lane}`;
    const known = this.#senders.get(key);
    if (known !== undefined) return known;
    const parts = { client: this.#plain, facts: this.#facts, signer, lane };
    const sender = new ScriptSender(parts, this.#sending);
    this.#senders.set(key, sender);
    return sender;
  }

  override bundle(): Bundle {
    throw new ClientError(
      'bad_argument',
      'a script cannot send bundles: send a batch or single transactions',
    );
  }

  override call<M extends MethodName>(
    method: M,
    params: TextOrBytes<NodeRpcV1Methods[M]['params']>,
    options: CallOptions = {},
  ): Promise<NodeRpcV1Methods[M]['result']> {
    if (!SUBMITTING.includes(method)) return super.call(method, params, options);
    const message = `a script cannot call ${method}: send with sender, deploy or a contract, which a dry run can show`;
    return Promise.reject(new ClientError('bad_argument', message));
  }

  override async close(): Promise<void> {
    await Promise.all([super.close(), this.#plain.close()]);
  }
}
