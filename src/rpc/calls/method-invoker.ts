import { Deferred } from '../../async/deferred.js';
import { mapAsync } from '../../async/maybe-async.js';
import type { BoundedLog } from '../../config/bounded-log.js';
import type { CallLimits, ReservedCall } from '../access/call-limits.js';
import { overloaded, toRpcError } from '../domain-errors.js';
import { limitExceeded, RpcError } from '../errors.js';
import { EncodedResult, type InvocationContext, Parked } from '../handlers.js';
import { JsonSource } from '../json/json-text.js';
import type { CallableMethod } from '../method-table.js';
import { LimitedContext } from '../request-context.js';
import type { CallAnswer, Outcome } from '../rpc-answer.js';
import type { MethodDeclaration } from '../rpc-interface.js';
import { encodedResult } from '../rpc-interface.js';
import type { RequestSpan } from '../tracing/tracing.js';
import { acquireSlot, type CallSlot, extraSlot, type SlotSources } from './call-slot.js';
import { CallWork, tierRefusal, UNCHARGED } from './charges.js';
import type { AnsweredCall, SlowCalls } from './slow-calls.js';

export interface MethodInvokerParts extends SlotSources {
  readonly log: BoundedLog;
  readonly slowCalls: SlowCalls;
}

/**
 * Runs single calls: checks access, charges, finds a slot, calls the handler, and counts, traces and logs the outcome.
 *
 * 1. A method that always answers at once is served even under overload. A call of any other method is answered at once
 *    with overloaded while `maxCallsInFlight` others wait, its client's share of slots is used up, or the bytes of all
 *    waiting calls or of its client's reach their limit.
 * 2. Each call is checked and charged separately before it runs, even in a batch, and its {@link CallWork} when it
 *    ends. The charge is refunded if the node could not serve the call: `internal_error`, `not_ready`, `overloaded`.
 * 3. Parameters for workers are passed on as text; others of more than `maxJsonValues` values are refused except for
 *    admins.
 */
export class MethodInvoker {
  readonly #parts: MethodInvokerParts;

  constructor(parts: MethodInvokerParts) {
    this.#parts = parts;
  }

  /** @param bytes size of the request, or the call's share of it */
  run(method: CallableMethod, params: unknown, context: InvocationContext, bytes: number): CallAnswer {
    const { stats } = method;
    const begun = stats.begin(method.mayWait);
    const paramsBytes = params instanceof JsonSource ? params.text.length : bytes;
    const call: RunningCall = { method, begun, context, paramsBytes };
    const refusal =
      context.refusal ?? tierRefusal(method, context) ?? context.meter?.charge(method.declaration);
    if (refusal === 'wait') return this.#runLater(call, params, bytes);
    if (refusal !== undefined) return this.#failed(call, refusal, false);
    return this.#runCharged(call, params, bytes);
  }

  /** Runs a call once its token has units on hand. */
  async #runLater(call: RunningCall, params: unknown, bytes: number): Promise<Outcome> {
    const { method, context } = call;
    const refusal = await this.#waitInSlot(bytes, context, 'the charge of a call', async () =>
      context.meter?.chargeLater(method.declaration),
    );
    return refusal === undefined ? this.#runCharged(call, params, bytes) : this.#failed(call, refusal, true);
  }

  #runCharged(call: RunningCall, params: unknown, bytes: number): CallAnswer {
    const { method, context } = call;
    const limits = method.isLimited ? context.meter?.calls : undefined;
    if (limits === undefined) return this.#runHandler(call, params, bytes);
    const reserved = limits.reserve(method.declaration.name, params);
    return reserved === 'wait'
      ? this.#reserveLater(limits, call, params, bytes)
      : this.#runReserved(reserved, call, params, bytes, false);
  }

  async #reserveLater(
    limits: CallLimits,
    call: RunningCall,
    params: unknown,
    bytes: number,
  ): Promise<Outcome> {
    const { context } = call;
    const { name } = call.method.declaration;
    const reserved = await this.#waitInSlot(bytes, context, name, () =>
      limits.reserveLater(name, params, () => context.isGone),
    );
    return this.#runReserved(reserved, call, params, bytes, true);
  }

  /** Runs a call for a token with limits of gas or time, and settles the reservation when the call ends. */
  #runReserved(
    reserved: ReservedCall | RpcError,
    call: RunningCall,
    params: unknown,
    bytes: number,
    isLate: boolean,
  ): CallAnswer {
    const { method, context } = call;
    if (reserved instanceof RpcError) {
      context.meter?.refund(method.declaration);
      return this.#failed(call, reserved, isLate);
    }
    const limited = { ...call, context: new LimitedContext(context, reserved) };
    return mapAsync(this.#runHandler(limited, params, bytes), settled, reserved);
  }

  /** Waits in a slot for calls in flight. @returns an error if there is no slot, or if the wait fails */
  async #waitInSlot<T>(
    bytes: number,
    context: InvocationContext,
    what: string,
    wait: () => Promise<T>,
  ): Promise<T | RpcError> {
    let slot: CallSlot | undefined;
    try {
      slot = acquireSlot(this.#parts, bytes, context);
      return await wait();
    } catch (error) {
      return toRpcError(error, what, this.#parts.log, context);
    } finally {
      slot?.release();
    }
  }

  #runHandler(charged: RunningCall, params: unknown, bytes: number): CallAnswer {
    const call = withWork(charged);
    const { method, context, work } = call;
    let slot: CallSlot | undefined;
    try {
      if (method.mayWait) slot = acquireSlot(this.#parts, bytes, context);
      const decoded = this.#params(method, params);
      work?.countEntries(method.declaration.name, decoded);
      const result = method.handler(decoded, context);
      if (result instanceof Deferred)
        return this.#deferredOutcome(call, result, slot ?? extraSlot(this.#parts));
      if (result instanceof Promise) return this.#wait(call, result, slot ?? extraSlot(this.#parts));
      const text = this.#text(method.declaration, result);
      slot?.release();
      this.#succeeded(call, text, false);
      return text;
    } catch (error) {
      slot?.release();
      return this.#failure(call, error, false);
    }
  }

  /** @throws RpcError, JsonDecodeError */
  #params({ declaration, takesRawParams }: CallableMethod, params: unknown): unknown {
    if (!(params instanceof JsonSource)) {
      return takesRawParams
        ? new JsonSource(params === undefined ? '{}' : JSON.stringify(params), undefined, params ?? {})
        : declaration.decodeParams(params);
    }
    if (takesRawParams) return params;
    const { maxJsonValues } = this.#parts.limits;
    const { text, values = 0 } = params;
    // Admins may send long parameters, such as the chunks of a snapshot.
    if (values > maxJsonValues && declaration.tier !== 'admin') {
      throw limitExceeded('json_values', maxJsonValues, values);
    }
    return declaration.decodeParams(JSON.parse(text));
  }

  async #wait(call: RunningCall, promise: Promise<unknown>, slot: CallSlot): Promise<Outcome> {
    const { method } = call;
    method.mayWait = true;
    let parkedMs: number | undefined;
    try {
      let result = await promise;
      if (result instanceof Parked) {
        slot.release();
        const parkedAt = performance.now();
        await result.until;
        parkedMs = performance.now() - parkedAt;
        slot.reenter();
        result = await result.resume();
      }
      const text = this.#text(method.declaration, result);
      const waitedMs = result instanceof EncodedResult ? result.waitedMs : undefined;
      this.#succeeded(call, text, true, waitedMs, parkedMs);
      return text;
    } catch (error) {
      return this.#failure(call, error, true, parkedMs);
    } finally {
      slot.release();
    }
  }

  #deferredOutcome(
    call: RunningCall,
    result: Deferred<EncodedResult | Error>,
    slot: CallSlot,
  ): Deferred<Outcome> {
    call.method.mayWait = true;
    return result.map((settled) => {
      slot.release();
      if (settled instanceof Error) return this.#failure(call, settled, true);
      this.#succeeded(call, settled.json, true, settled.waitedMs);
      return settled.json;
    });
  }

  /** Encodes a result and checks its length; workers check the results that they encode. */
  #text(declaration: MethodDeclaration, result: unknown): string {
    return result instanceof EncodedResult
      ? result.json
      : encodedResult(declaration, result, this.#parts.limits.maxAnswerBytes);
  }

  #succeeded(call: RunningCall, text: string, isLate: boolean, waitedMs?: number, parkedMs?: number): void {
    const ms = call.method.stats.succeeded(call.begun, isLate, text.length);
    chargeWork(call, text.length);
    const { span } = call.context;
    if (span !== undefined) trace(span, call, 'ok', waitedMs);
    if (ms >= this.#parts.slowCalls.thresholdMs) {
      this.#noteSlow(call, { outcome: 'ok', ms, waitedMs, parkedMs, answerBytes: text.length });
    }
  }

  /** The error of a charged call. Refunds the charge if the node is at fault. */
  #failure(call: RunningCall, error: unknown, isLate: boolean, parkedMs?: number): RpcError {
    const { method, context } = call;
    const refusal = toRpcError(error, method.declaration.qualifiedName, this.#parts.log, context);
    // Refusals before the start throw the shared error and are counted there.
    if (refusal.kind === 'overloaded' && error !== overloaded()) this.#parts.metrics.overloads.queue++;
    if (UNCHARGED.has(refusal.kind)) context.meter?.refund(method.declaration);
    else chargeWork(call, 0);
    return this.#failed(call, refusal, isLate, parkedMs);
  }

  /** Counts, traces and logs a call that was refused or failed. */
  #failed(call: RunningCall, refusal: RpcError, isLate: boolean, parkedMs?: number): RpcError {
    const { method, begun, context } = call;
    const ms = method.stats.failed(refusal.kind, begun, isLate);
    if (context.span !== undefined) trace(context.span, call, refusal.kind);
    if (ms >= this.#parts.slowCalls.thresholdMs) {
      this.#noteSlow(call, { outcome: refusal.kind, ms, parkedMs, answerBytes: 0 });
    }
    return refusal;
  }

  #noteSlow({ method, context, paramsBytes }: RunningCall, answered: AnsweredCall): void {
    const { slowCalls, metrics } = this.#parts;
    const { qualifiedName } = method.declaration;
    if (slowCalls.note(qualifiedName, answered, paramsBytes, context)) metrics.slowCalls++;
  }
}

function settled(outcome: Outcome, reserved: ReservedCall): Outcome {
  reserved.settle();
  return outcome;
}

function withWork(call: RunningCall): RunningCall {
  const { context } = call;
  if (context.meter === undefined) return call;
  const work = new CallWork(context.allowance);
  return { ...call, work, context: new LimitedContext(context, work) };
}

/** @param answerBytes length of the result */
function chargeWork({ method, context, work, paramsBytes }: RunningCall, answerBytes: number): void {
  const units = work?.units(paramsBytes + answerBytes) ?? 0;
  if (units > 0) context.meter?.chargeWork(units, method.declaration);
}

function trace(span: RequestSpan, { method, begun }: RunningCall, outcome: string, waitedMs?: number): void {
  const begunAt = begun === 0 ? undefined : performance.timeOrigin + begun;
  span.call({ method: method.declaration.qualifiedName, outcome, begunAt, waitedMs });
}

interface RunningCall {
  readonly method: CallableMethod;
  /** The result of `MethodStats.begin`. */
  readonly begun: number;
  readonly context: InvocationContext;
  readonly paramsBytes: number;
  /** Undefined if calls of its caller are free. */
  readonly work?: CallWork;
}
