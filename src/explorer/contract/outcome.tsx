import type {
  ExecStatus,
  Receipt,
  Revert,
  TxSimulateResult,
  ViewCallResult,
} from '../../generated/node-rpc-v1.js';
import { isDecoded } from '../../idl/decoded-text.js';
import { toPrefixedHex } from '../../idl/hex.js';
import type { JsonValue } from '../../idl/json-value.js';

import { Events } from '../parts/events.js';
import { AmountFact, HeightFact } from '../parts/facts.js';
import { TransactionHex } from '../parts/hex.js';
import { DecodedError, Json, RawBytes } from '../parts/json.js';
import type { Shape } from '../parts/json-shape.js';
import { Fact, Facts } from '../parts/layout.js';
import { StatusLine } from '../parts/status.js';
import { grouped } from '../text/format.js';
import { StateChanges } from './state-changes.js';

interface ViewOutcomeProps {
  readonly contract: Uint8Array;
  readonly name: string;
  readonly result: ViewCallResult;
  /** The output by the contract's interface; undefined if they do not match. */
  readonly decoded: JsonValue | undefined;
  readonly decodedAs: Shape | undefined;
}

export function ViewOutcome({ contract, name, result, decoded, decodedAs }: ViewOutcomeProps) {
  const { status, output, gas_used, height, logs } = result;
  return (
    <>
      <Facts>
        <StatusFacts of={status} />
        {status.type === 'success' && (
          <Fact name="Result">
            {decoded === undefined ? (
              <RawBytes of={toPrefixedHex(output)} what="result" />
            ) : (
              <Json value={decoded} shape={decodedAs} name={name} contract={contract} />
            )}
          </Fact>
        )}
        <Fact name="Gas used">{grouped(gas_used)}</Fact>
        <HeightFact name="State after block" of={height} />
      </Facts>
      {logs.length > 0 && <Events logs={logs} />}
    </>
  );
}

interface SimulationOutcomeProps {
  readonly result: TxSimulateResult;
  readonly decodedAs: Shape | undefined;
}

/** The outcome of a simulated call: nothing was sent. */
export function SimulationOutcome({ result, decodedAs }: SimulationOutcomeProps) {
  const { status, decoded, gas_used, gas_estimate, fee, logs, state_diff, height } = result;
  return (
    <>
      <Facts>
        <StatusFacts of={status} />
        {decoded !== undefined && (
          <Fact name="Result">
            <Json value={decoded} shape={decodedAs} />
          </Fact>
        )}
        <Fact name="Gas used">{grouped(gas_used)}</Fact>
        <Fact name="Gas needed">{grouped(gas_estimate)}</Fact>
        <AmountFact name="Fee" of={fee} />
        <HeightFact name="State after block" of={height} />
      </Facts>
      <h4>Events</h4>
      <Events logs={logs} />
      <h4>State changes</h4>
      <StateChanges of={state_diff} />
    </>
  );
}

interface SentOutcomeProps {
  readonly receipt: Receipt;
  /** 32 bytes. */
  readonly hash: Uint8Array;
  readonly decodedAs: Shape | undefined;
}

/** A sent call that is in a block. */
export function SentOutcome({ receipt, hash, decodedAs }: SentOutcomeProps) {
  return (
    <>
      <Facts>
        <StatusFacts of={receipt.status} />
        <Fact name="Transaction">
          <TransactionHex of={hash} copy />
        </Fact>
        <HeightFact name="Block" of={receipt.height} />
        {receipt.decoded !== undefined && (
          <Fact name="Result">
            <Json value={receipt.decoded} shape={decodedAs} />
          </Fact>
        )}
        <Fact name="Gas used">{grouped(receipt.gas_used)}</Fact>
        <AmountFact name="Fee" of={receipt.fee} />
      </Facts>
      <h4>Events</h4>
      <Events logs={receipt.logs} />
    </>
  );
}

/** A status, and what a contract has said about its revert. */
export function StatusFacts({ of }: { readonly of: ExecStatus }) {
  return (
    <>
      <Fact name="Status">
        <StatusLine of={of} />
      </Fact>
      {of.type === 'reverted' && <RevertFacts of={of.value} />}
    </>
  );
}

/** The contract's own error, or the data that it reverted with. */
function RevertFacts({ of }: { readonly of: Revert }) {
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
