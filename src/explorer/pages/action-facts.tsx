import { useMemo } from 'preact/hooks';
import type { Action, Call, Transaction } from '../../generated/ledger.js';
import { AbiError } from '../../idl/abi/abi-context.js';
import { BorshError, JsonEncodeError } from '../../idl/codecs/codec-errors.js';
import { toPrefixedHex } from '../../idl/hex.js';
import type { JsonValue } from '../../idl/json-value.js';
import { compileInterface } from '../contract/contract-interface.js';
import { client } from '../node/connection.js';
import { useLoaded } from '../node/loading.js';
import { AddressHex } from '../parts/hex.js';
import { Json, RawBytes } from '../parts/json.js';
import { Fact, Facts } from '../parts/layout.js';
import { byteSize, grouped } from '../text/format.js';
import { shortName } from '../text/untrusted.js';

/** Maximum number of calls shown of a batch. */
const MAX_CALLS = 20;

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
      {action.type === 'batch' && (
        <ol class="batch">
          {action.value.slice(0, MAX_CALLS).map((call, at) => (
            // A call has no identity other than its index.
            <li key={at}>
              <Facts>
                <CallFacts call={call} />
              </Facts>
            </li>
          ))}
        </ol>
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
function CallFacts({ call }: { readonly call: Call }) {
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
            <Json value={decoded.args} />
          </Fact>
        </>
      )}
      <Fact name="Value">{grouped(value)}</Fact>
    </>
  );
}

/** The method and arguments of a call's input; undefined if it does not match the interface. */
function decodeInput(
  idl: string,
  input: Uint8Array,
): { readonly method: string; readonly args: JsonValue } | undefined {
  const compilation = compileInterface(idl);
  if (!compilation.ok) return undefined;
  const called = compilation.compiled.abi.functionOf(input);
  if (called === undefined) return undefined;
  try {
    return { method: called.name, args: called.decodeCall(input) };
  } catch (error) {
    // The sender chose the input, which may be anything.
    if (error instanceof BorshError || error instanceof AbiError || error instanceof JsonEncodeError) {
      return undefined;
    }
    throw error;
  }
}
