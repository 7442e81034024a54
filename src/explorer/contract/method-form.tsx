import { useState } from 'preact/hooks';
import type { TxSimulateResult } from '../../generated/node-rpc-v1.js';
import { NativeAmount } from '../amounts/amount.js';
import { heldKey } from '../keys/key-store.js';
import { client } from '../node/connection.js';
import { latestBlocks, pool } from '../node/live.js';
import { useAction } from '../node/loading.js';
import { Button, Form, LineInput, useLine } from '../parts/controls.js';
import { WhenReady } from '../parts/failure-box.js';
import { AddressHex } from '../parts/hex.js';
import type { EnteredLine } from '../parts/mistake.js';
import { type FormProps, MistakeNotice, useArguments } from './arguments.js';
import { resultShape } from './decode-result.js';
import { SimulationOutcome } from './outcome.js';
import { gasLimitFor, prepareAddress, prepareAmount, prepareOptional } from './prepare-call.js';
import { forgetSending, isUnderWay, sendingOf, startSending } from './sending.js';
import { SendingOutcome } from './sending-outcome.js';

const NOBODY = new Uint8Array(20);

interface Simulated {
  readonly result: TxSimulateResult;
  /** The gas limit that the call would be signed with. */
  readonly gasLimit: bigint;
}

/** The form of a method, which simulates the call or signs and sends it. */
export function MethodForm(props: FormProps) {
  const { contract, compiled, definition } = props;
  const { name } = definition;
  const { fields, mistake, take, input } = useArguments(props);
  const amount = useLine('call.value');
  const sender = useLine('call.sender');
  const gas = useLine('call.gas_limit');
  const price = useLine('call.max_fee');
  const simulation = useAction<Simulated>();
  const sending = sendingOf(contract, name);
  const [last, setLast] = useState<'simulate' | 'send'>(sending === undefined ? 'simulate' : 'send');
  const key = heldKey.value;
  const shape = resultShape(compiled, definition);

  const prepared = () => {
    const encoded = input();
    const value = encoded && take(prepareAmount(amount));
    const gasLimit = value && take(prepareOptional(gas));
    const maxFee = gasLimit && take(prepareOptional(price));
    if (!encoded || !value || !gasLimit || !maxFee) return undefined;
    return {
      action: { type: 'call', value: { contract, input: encoded.value, value: value.value } },
      gasLimit: gasLimit.value,
      maxFee: maxFee.value,
    } as const;
  };
  const simulate = () => {
    setLast('simulate');
    const call = prepared();
    const as = call && take(prepareAddress(sender));
    if (call === undefined || as === undefined) return;
    const { action, gasLimit, maxFee } = call;
    const build = {
      sender: as.value ?? key?.signer.address ?? NOBODY,
      action,
      ...(gasLimit !== undefined && { gas_limit: gasLimit }),
      ...(maxFee !== undefined && { max_fee: maxFee }),
    };
    simulation.start(async () => {
      const result = await client.value.tx_simulate({ build });
      return {
        result,
        gasLimit: gasLimitFor(action, result.gas_estimate, latestBlocks.peek()?.[0]?.gas_limit),
      };
    });
  };
  const send = () => {
    setLast('send');
    const call = prepared();
    if (call !== undefined && key !== undefined) void startSending({ key, name, ...call });
  };
  const simulated = simulation.outcome?.state === 'ready' ? simulation.outcome.value.gasLimit : undefined;
  const fee = highestFee(gas, price, simulated);
  return (
    <>
      <Form onSubmit={simulate}>
        {fields}
        {definition.payable === true && (
          <LineInput
            {...amount}
            label="Value"
            hint="native units sent along"
            placeholder="0"
            mistake={mistake}
          />
        )}
        <LineInput
          {...sender}
          label="Simulate as"
          hint="optional address"
          placeholder={key === undefined ? 'the zero address' : 'your key'}
          mistake={mistake}
        />
        <div class="pair">
          <LineInput
            {...gas}
            label="Gas limit"
            hint="optional"
            placeholder="as simulated"
            mistake={mistake}
          />
          <LineInput
            {...price}
            label="Highest fee"
            hint="optional, per gas"
            placeholder="twice the base fee"
            mistake={mistake}
          />
        </div>
        <MistakeNotice mistake={mistake} />
        <p class="actions">
          <button type="submit">Simulate</button>
          <Button class="primary" disabled={key === undefined || isUnderWay(sending)} onClick={send}>
            Sign and send
          </Button>
          {key === undefined ? (
            <a href="#/settings">Choose a key to send</a>
          ) : (
            <span class="muted">
              as <AddressHex of={key.signer.address} />
              {fee !== undefined && (
                <>
                  , for a fee of at most <NativeAmount of={fee} />
                </>
              )}
            </span>
          )}
        </p>
      </Form>
      <div class="outcome" aria-live="polite">
        {last === 'simulate' && (
          <WhenReady
            of={simulation.outcome}
            retry={simulate}
            show={({ result }) => (
              <>
                <h4>Simulation: nothing was sent</h4>
                <SimulationOutcome result={result} decodedAs={shape} />
              </>
            )}
          />
        )}
        {last === 'send' && sending !== undefined && (
          <SendingOutcome sending={sending} result={shape} onForget={() => forgetSending(contract, name)} />
        )}
      </div>
    </>
  );
}

/** The highest fee of a call: its gas limit as entered, else as simulated, at the price entered, else the usual one. */
function highestFee(gas: EnteredLine, price: EnteredLine, simulated: bigint | undefined): bigint | undefined {
  const limit = prepareOptional(gas);
  const given = prepareOptional(price);
  const now = pool.value;
  if (!limit.ok || !given.ok || now === undefined) return undefined;
  const gasLimit = limit.value ?? simulated;
  const usual = 2n * now.base_fee;
  const maxFee = given.value ?? (usual > now.min_fee ? usual : now.min_fee);
  return gasLimit === undefined ? undefined : gasLimit * maxFee;
}
