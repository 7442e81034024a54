import type { Receipt, Revert, TxSimulateResult, ViewCallResult } from '../../generated/node-rpc-v1.js';
import { isDecoded } from '../../idl/decoded-text.js';
import { toPrefixedHex } from '../../idl/hex.js';
import type { JsonValue } from '../../idl/json-value.js';
import { NativeAmount } from '../amounts/amount.js';
import { Events } from '../parts/events.js';
import { Height, TransactionHex } from '../parts/hex.js';
import { DecodedError, Json, RawBytes } from '../parts/json.js';
import type { Shape } from '../parts/json-shape.js';
import { Fact, Facts } from '../parts/layout.js';
import { StatusLine } from '../parts/status.js';
import { grouped } from '../text/format.js';
import { StateChanges } from './state-changes.js';

/**
 * The result of a view call.
 * @param contract 20 bytes
 * @param name of the view
 * @param decoded its output by the contract's interface; absent if they do not match
 */
export function ViewOutcome({
  contract,
  name,
  result,
  decoded,
  decodedAs,
}: {
  readonly contract: Uint8Array;
  readonly name: string;
  readonly result: ViewCallResult;
  readonly decoded: JsonValue | undefined;
  readonly decodedAs: Shape | undefined;
}) {
  const { status, output, gas_used, height, logs } = result;
  return (
    <>
      <Facts>
        <Fact name="Status">
          <StatusLine of={status} />
        </Fact>
        {status.type === 'success' && (
          <Fact name="Result">
            {decoded === undefined ? (
              <RawBytes of={toPrefixedHex(output)} what="result" />
            ) : (
              <Json value={decoded} shape={decodedAs} name={name} contract={contract} />
            )}
          </Fact>
        )}
        {status.type === 'reverted' && <RevertFacts of={status.value} />}
        <Fact name="Gas used">{grouped(gas_used)}</Fact>
        <Fact name="State after block">
          <Height of={height} />
        </Fact>
      </Facts>
      {logs.length > 0 && <Events logs={logs} />}
    </>
  );
}

/** The outcome of a simulated call: nothing was sent. */
export function SimulationOutcome({
  result,
  decodedAs,
}: {
  readonly result: TxSimulateResult;
  readonly decodedAs: Shape | undefined;
}) {
  const { status, decoded, gas_used, gas_estimate, fee, logs, state_diff, height } = result;
  return (
    <>
      <Facts>
        <Fact name="Status">
          <StatusLine of={status} />
        </Fact>
        {decoded !== undefined && (
          <Fact name="Result">
            <Json value={decoded} shape={decodedAs} />
          </Fact>
        )}
        {status.type === 'reverted' && <RevertFacts of={status.value} />}
        <Fact name="Gas used">{grouped(gas_used)}</Fact>
        <Fact name="Gas needed">{grouped(gas_estimate)}</Fact>
        <Fact name="Fee">
          <NativeAmount of={fee} />
        </Fact>
        <Fact name="State after block">
          <Height of={height} />
        </Fact>
      </Facts>
      <h4>Events</h4>
      <Events logs={logs} />
      <h4>State changes</h4>
      <StateChanges of={state_diff} />
    </>
  );
}

/** A sent call that is in a block. */
export function SentOutcome({
  receipt,
  hash,
  decodedAs,
}: {
  readonly receipt: Receipt;
  /** 32 bytes. */
  readonly hash: Uint8Array;
  readonly decodedAs: Shape | undefined;
}) {
  return (
    <>
      <Facts>
        <Fact name="Status">
          <StatusLine of={receipt.status} />
        </Fact>
        <Fact name="Transaction">
          <TransactionHex of={hash} copy />
        </Fact>
        <Fact name="Block">
          <Height of={receipt.height} />
        </Fact>
        {receipt.decoded !== undefined && (
          <Fact name="Result">
            <Json value={receipt.decoded} shape={decodedAs} />
          </Fact>
        )}
        {receipt.status.type === 'reverted' && <RevertFacts of={receipt.status.value} />}
        <Fact name="Gas used">{grouped(receipt.gas_used)}</Fact>
        <Fact name="Fee">
          <NativeAmount of={receipt.fee} />
        </Fact>
      </Facts>
      <h4>Events</h4>
      <Events logs={receipt.logs} />
    </>
  );
}

/** The contract's own error, or the data that it reverted with. */
export function RevertFacts({ of }: { readonly of: Revert }) {
  if (of.error !== undefined) {
    return (
      <Fact name="Error">
        {isDecoded(of.error) ? <DecodedError {...of.error} /> : <Json value={of.error} />}
      </Fact>
    );
  }
  if (of.data.length === 0) return null;
  return (
    <Fact name="Revert data">
      <RawBytes of={toPrefixedHex(of.data)} what="revert data" />
    </Fact>
  );
}
