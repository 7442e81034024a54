import { signal } from '@preact/signals';
import {
  ClientError,
  type IncludedTransaction,
  RpcCallError,
  type SignedDetails,
} from '../../client/client.js';
import type { Action } from '../../generated/ledger.js';
import type { Receipt, TxSimulateResult } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import type { HeldKey } from '../keys/key-store.js';
import { client } from '../node/connection.js';
import { type Failure, failureOf } from '../node/failure.js';
import { latestBlocks } from '../node/live.js';
import { gasLimitFor } from './prepare-call.js';

/** The latest sending of one function: how far it has come. */
export type Sending =
  /** The node simulates the call; nothing is signed. */
  | { readonly state: 'checking' }
  /** Nothing was sent, because the simulation failed or did not succeed. */
  | {
      readonly state: 'held';
      readonly failure?: Failure;
      readonly simulation?: TxSimulateResult;
      readonly sendAnyway: () => void;
    }
  /** Signed, and sent unless `details` is absent; in no block yet. */
  | { readonly state: 'waiting'; readonly details?: SignedDetails }
  | { readonly state: 'included'; readonly details: SignedDetails; readonly receipt: Receipt }
  /** The transaction is not on its way: it was refused, or never signed. */
  | { readonly state: 'failed'; readonly failure: Failure }
  /** The transaction may or may not have arrived, or may still be included. */
  | {
      readonly state: 'unsure';
      readonly failure: Failure;
      readonly details: SignedDetails;
      readonly lookAgain: () => void;
    };

/**
 * Sendings by contract and function. They are not the state of a form, because a form disappears when the user follows
 * a link, and its transaction does not.
 */
const sendings = signal<ReadonlyMap<string, Sending>>(new Map());

function keyOf(contract: Uint8Array, name: string): string {
  return `${toHex(contract)}/${name}`;
}

export function sendingOf(contract: Uint8Array, name: string): Sending | undefined {
  return sendings.value.get(keyOf(contract, name));
}

/** Forgets a sending, so that its form can send again. */
export function forgetSending(contract: Uint8Array, name: string): void {
  show(keyOf(contract, name), undefined);
}

/** True while another signature might execute the call twice, or while one is under way. */
export function isUnderWay(sending: Sending | undefined): boolean {
  return sending?.state === 'checking' || sending?.state === 'waiting' || sending?.state === 'unsure';
}

function show(key: string, sending: Sending | undefined): void {
  const changed = new Map(sendings.peek());
  if (sending === undefined) changed.delete(key);
  else changed.set(key, sending);
  sendings.value = changed;
}

interface SendRequest {
  readonly key: HeldKey;
  /** The function's name. */
  readonly name: string;
  readonly action: Extract<Action, { readonly type: 'call' }>;
  /** Undefined for one that the simulation shows to be enough. */
  readonly gasLimit: bigint | undefined;
  /** Undefined for the client's default. */
  readonly maxFee: bigint | undefined;
}

/**
 * Simulates a call as its sender, then signs it with enough gas and sends it. The hash is shown before the node has the
 * transaction, so that a lost answer does not lose it.
 */
export async function startSending(request: SendRequest): Promise<void> {
  const { key, name, action, gasLimit, maxFee } = request;
  const place = keyOf(action.value.contract, name);
  const sendAnyway = () => void submit(place, request, gasLimit);
  show(place, { state: 'checking' });
  let simulation: TxSimulateResult;
  try {
    simulation = await client.value.tx_simulate({
      build: {
        sender: key.signer.address,
        action,
        ...(gasLimit !== undefined && { gas_limit: gasLimit }),
        ...(maxFee !== undefined && { max_fee: maxFee }),
      },
    });
  } catch (error) {
    show(place, { state: 'held', failure: failureOf(error), sendAnyway });
    return;
  }
  if (simulation.status.type !== 'success') show(place, { state: 'held', simulation, sendAnyway });
  else
    await submit(
      place,
      request,
      gasLimit ?? gasLimitFor(action, simulation.gas_estimate, latestBlocks.peek()?.[0]?.gas_limit),
    );
}

async function submit(place: string, request: SendRequest, gasLimit: bigint | undefined): Promise<void> {
  const { key, action, maxFee } = request;
  let details: SignedDetails | undefined;
  show(place, { state: 'waiting' });
  try {
    const { receipt }: IncludedTransaction = await client.value.sender(key.signer).send(action, {
      wait: 'included',
      onSigned: (signed) => {
        details = signed;
        show(place, { state: 'waiting', details: signed });
      },
      ...(gasLimit !== undefined && { gasLimit }),
      ...(maxFee !== undefined && { maxFee }),
    });
    // `onSigned` has been called, or there were no receipt.
    if (details !== undefined) show(place, { state: 'included', details, receipt });
  } catch (error) {
    end(place, details, error);
  }
}

function end(place: string, details: SignedDetails | undefined, error: unknown): void {
  const failure = failureOf(error);
  if (details === undefined || isGone(error)) show(place, { state: 'failed', failure });
  else show(place, { state: 'unsure', failure, details, lookAgain: () => void look(place, details) });
}

async function look(place: string, details: SignedDetails): Promise<void> {
  show(place, { state: 'waiting', details });
  try {
    const receipt = await client.value.waitForReceipt(details.hash);
    show(place, { state: 'included', details, receipt });
  } catch (error) {
    end(place, details, error);
  }
}

/** True if an error shows that the transaction is neither in a block nor in the pool. */
function isGone(error: unknown): boolean {
  if (error instanceof RpcCallError) return error.kind === 'transaction_rejected';
  return error instanceof ClientError && (error.code === 'dropped' || error.code === 'unknown_transaction');
}
