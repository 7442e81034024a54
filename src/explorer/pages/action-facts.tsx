import { useMemo, useState } from 'preact/hooks';
import type { Action, Call, Transaction } from '../../generated/ledger.js';
import { AbiError } from '../../idl/abi/abi-context.js';
import { BorshError, JsonEncodeError } from '../../idl/codecs/codec-errors.js';
import { toPrefixedHex } from '../../idl/hex.js';
import type { JsonValue } from '../../idl/json-value.js';
import { compileInterface } from '../contract/contract-interface.js';
import { client } from '../node/connection.js';
import { useLoaded } from '../node/loading.js';
import { AddressHex } from '../parts/hex.js';
import { Json, RawBytes, SMALL_BUDGET } from '../parts/json.js';
import type { Shape } from '../parts/json-shape.js';
import { Fact, Facts } from '../parts/layout.js';
import { byteSize, counted, grouped } from '../text/format.js';
import { shortName } from '../text/untrusted.js';

/** Number of calls of a batch shown at first, and added per click. */
const STEP = 20;

/** The action of a transaction. */
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
  const [shown, setShown] = useState(STEP);
  return (
    <>
      <ol class="batch">
        {calls.slice(0, shown).map((call, at) => (
          // A call has no identity other than its index.
          <li key={at}>
            <Facts>
              <CallFacts call={call} budget={SMALL_BUDGET} />
            </Facts>
          </li>
        ))}
      </ol>
      {calls.length > shown && (
        <button type="button" onClick={() => setShown(shown + STEP)}>
          Show more of {counted(calls.length, 'call')}
        </button>
      )}
    </>
  );
}

function Kind({ action }: { readonly action: Action }) {
  switch (action.type) {
    case 'transfer':
      return (
        <>
          <Fact name="To">
            <AddressHex of={action.value.to} copy long />
          </Fact>
          <Fact name="Amount">{grouped(action.value.amount)}</Fact>
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
          <Fact name="Value">{grouped(action.value.value)}</Fact>
        </>
      );
    case 'upgrade':
      return (
        <>
          <Fact name="Contract">
            <AddressHex of={action.value.contract} copy long />
          </Fact>
          <Fact name="Code">{byteSize(action.value.code.length)}</Fact>
        </>
      );
    case 'batch':
      return <Fact name="Calls">{grouped(action.value.length)}</Fact>;
  }
}

/** A call, decoded with the contract's interface on chain. */
function CallFacts({ call, budget }: { readonly call: Call; readonly budget?: number }) {
  const node = client.value;
  const { contract, input, value } = call;
  const idl = useLoaded(
    async (signal) => (await node.call('contract_idl', { address: contract }, { signal })).idl,
    [node, toPrefixedHex(contract)],
  );
  const text = idl.loading.state === 'ready' ? idl.loading.value : undefined;
  const decoded = useMemo(() => (text === undefined ? undefined : decodeInput(text, input)), [text, input]);
  return (
    <>
      <Fact name="Contract">
        <AddressHex of={contract} copy long />
      </Fact>
      {decoded === undefined ? (
        <Fact name="Input">
          <RawBytes of={toPrefixedHex(input)} what="input" />
        </Fact>
      ) : (
        <>
          <Fact name="Method">{shortName(decoded.method)}</Fact>
          <Fact name="Arguments">
            <Json value={decoded.args} shape={decoded.shape} {...(budget !== undefined && { budget })} />
          </Fact>
        </>
      )}
      <Fact name="Value">{grouped(value)}</Fact>
    </>
  );
}

interface DecodedCall {
  readonly method: string;
  readonly args: JsonValue;
  readonly shape: Shape;
}

/** The method and arguments of a call's input; undefined if it does not match the interface. */
function decodeInput(idl: string, input: Uint8Array): DecodedCall | undefined {
  const compilation = compileInterface(idl);
  if (!compilation.ok) return undefined;
  const { abi, types, definition } = compilation.compiled;
  const called = abi.functionOf(input);
  if (called === undefined) return undefined;
  const fields = definition.functions.find(({ name }) => name === called.name)?.params ?? [];
  try {
    return { method: called.name, args: called.decodeCall(input), shape: { types, type: { fields } } };
  } catch (error) {
    // The sender chose the input, which may be anything.
    if (error instanceof BorshError || error instanceof AbiError || error instanceof JsonEncodeError) {
      return undefined;
    }
    throw error;
  }
}
