import { useMemo } from 'preact/hooks';
import type { Action, Call, Transaction } from '../../generated/ledger.js';
import { toHex, toPrefixedHex } from '../../idl/hex.js';

import type { CompiledInterface } from '../interface/contract-interface.js';
import { decodeCall } from '../interface/contract-interface.js';
import { useKnownAddress } from '../names/known-addresses.js';
import { useShown } from '../parts/controls.js';
import { AddressFact, AmountFact } from '../parts/facts.js';
import { Json, RawBytes, SMALL_BUDGET } from '../parts/json.js';
import type { Shape } from '../parts/json-shape.js';
import { Fact, Facts } from '../parts/layout.js';
import { byteSize, counted, grouped } from '../text/format.js';
import { shortName } from '../text/untrusted.js';

/** Number of calls of a batch shown at first, and added per click. */
const STEP = 20;

export function ActionFacts({ transaction }: { readonly transaction: Transaction }) {
  const { action, gas_limit, max_fee, priority_fee, valid_until } = transaction;
  return (
    <>
      <Facts>
        <Fact name="Kind">{action.type}</Fact>
        <Kind action={action} />
        <Fact name="Gas limit">{grouped(gas_limit)}</Fact>
        <Fact name="Highest fee">{grouped(max_fee)} per gas</Fact>
        <Fact name="Priority fee">{grouped(priority_fee)} per gas</Fact>
        {valid_until !== undefined && <Fact name="Valid until block">{grouped(valid_until)}</Fact>}
      </Facts>
      {action.type === 'batch' && <BatchCalls calls={action.value} />}
    </>
  );
}

function BatchCalls({ calls }: { readonly calls: readonly Call[] }) {
  const { shown, more } = useShown(calls, STEP, counted(calls.length, 'call'));
  return (
    <>
      <ol class="batch">
        {shown.map((call, at) => (
          // A call has no identity other than its index.
          <li key={at}>
            <Facts>
              <CallFacts call={call} budget={SMALL_BUDGET} />
            </Facts>
          </li>
        ))}
      </ol>
      {more}
    </>
  );
}

function Kind({ action }: { readonly action: Action }) {
  switch (action.type) {
    case 'transfer':
      return (
        <>
          <AddressFact name="To" of={action.value.to} />
          <AmountFact name="Amount" of={action.value.amount} />
        </>
      );
    case 'call':
      return <CallFacts call={action.value} />;
    case 'deploy':
      return (
        <>
          <Fact name="Code">{byteSize(action.value.code.length)}</Fact>
          <Fact name="Interface">
            {action.value.idl === undefined ? 'none' : byteSize(action.value.idl.length)}
          </Fact>
          <Fact name="Upgrades">{action.value.upgrade_policy.type}</Fact>
          <AmountFact name="Value" of={action.value.value} />
        </>
      );
    case 'upgrade':
      return (
        <>
          <AddressFact name="Contract" of={action.value.contract} />
          <Fact name="Code">{byteSize(action.value.code.length)}</Fact>
        </>
      );
    case 'batch':
      return <Fact name="Calls">{grouped(action.value.length)}</Fact>;
  }
}

/** A call, decoded with the contract's interface on chain. */
function CallFacts({ call, budget }: { readonly call: Call; readonly budget?: number }) {
  const { contract, input, value } = call;
  const known = useKnownAddress(toHex(contract));
  const compiled = known?.kind === 'contract' ? known.compiled : undefined;
  const decoded = useMemo(() => compiled && decodeCall(compiled, input), [compiled, input]);
  return (
    <>
      <AddressFact name="Contract" of={contract} />
      {compiled === undefined || decoded === undefined ? (
        <Fact name="Input">
          <RawBytes of={toPrefixedHex(input)} what="input" />
        </Fact>
      ) : (
        <>
          <Fact name="Method">{shortName(decoded.method)}</Fact>
          <Fact name="Arguments">
            <Json
              value={decoded.args}
              shape={argumentsShape(compiled, decoded.method)}
              contract={contract}
              budget={budget}
            />
          </Fact>
        </>
      )}
      <AmountFact name="Value" of={value} />
    </>
  );
}

function argumentsShape({ types, definition }: CompiledInterface, method: string): Shape {
  const fields = definition.functions.find(({ name }) => name === method)?.params ?? [];
  return { types, type: { fields } };
}
