import { useState } from 'preact/hooks';
import type { ContractFunctionDefinition } from '../../idl/manifest.js';
import { heldKey } from '../keys/key-store.js';
import { client } from '../node/connection.js';
import { useAction } from '../node/loading.js';
import { WhenReady } from '../parts/failure-box.js';
import { AddressHex } from '../parts/hex.js';
import type { CompiledInterface } from './contract-interface.js';
import { decodeResult } from './decode-result.js';
import { emptyArguments } from './draft.js';
import { Fields } from './field.js';
import { LineInput } from './input.js';
import type { Mistake } from './mistake.js';
import { SentOutcome, SimulationOutcome, ViewOutcome } from './outcome.js';
import { type Prepared, prepareAddress, prepareAmount, prepareHeight, prepareInput } from './prepare-call.js';

interface FormProps {
  /** 20 bytes. */
  readonly contract: Uint8Array;
  readonly compiled: CompiledInterface;
  readonly definition: ContractFunctionDefinition;
}

const NOBODY = new Uint8Array(20);

/** The form of one function: its arguments and the buttons to call it. */
export function FunctionForm(props: FormProps) {
  return props.definition.kind === 'view' ? <ViewForm {...props} /> : <MethodForm {...props} />;
}

function useArguments({ compiled, definition }: FormProps) {
  const [drafts, setDrafts] = useState(() => emptyArguments(compiled.types, definition.params));
  const [mistake, setMistake] = useState<Mistake>();
  /** Returns the value, or shows the mistake and returns undefined. */
  const take = <T,>(prepared: Prepared<T>): { readonly value: T } | undefined => {
    setMistake(prepared.ok ? undefined : prepared.mistake);
    return prepared.ok ? prepared : undefined;
  };
  const fields = (
    <Fields
      types={compiled.types}
      fields={definition.params}
      drafts={drafts}
      path="args"
      mistake={mistake}
      onFields={setDrafts}
    />
  );
  return { fields, mistake, take, input: () => take(prepareInput(compiled, definition, drafts)) };
}

/** A mistake as a message, for screen readers and for parts without their own field. */
function MistakeNotice({ mistake }: { readonly mistake: Mistake | undefined }) {
  if (mistake === undefined) return null;
  return (
    <p class="notice notice-bad" role="alert">
      <strong>{mistake.path.replace(/^(args|call)\./, '')}:</strong> {mistake.message}
    </p>
  );
}

function ViewForm(props: FormProps) {
  const { contract, compiled, definition } = props;
  const { fields, mistake, take, input } = useArguments(props);
  const [height, setHeight] = useState('');
  const view = useAction<Awaited<ReturnType<typeof client.value.view_call>>>();
  const run = () => {
    const encoded = input();
    if (encoded === undefined) return;
    const at = take(prepareHeight(height, 'call.height'));
    if (at === undefined) return;
    view.start(() =>
      client.value.view_call({
        contract,
        input: encoded.value,
        ...(at.value !== undefined && { at: { type: 'height', value: at.value } }),
      }),
    );
  };
  return (
    <>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        {fields}
        <LineInput
          label="At height"
          hint="optional"
          path="call.height"
          value={height}
          placeholder="latest"
          mistake={mistake}
          onChange={setHeight}
        />
        <MistakeNotice mistake={mistake} />
        <p class="actions">
          <button type="submit" class="primary">
            Run
          </button>
        </p>
      </form>
      <div class="outcome" aria-live="polite">
        {view.outcome !== undefined && (
          <WhenReady
            of={view.outcome}
            retry={run}
            show={(result) => (
              <ViewOutcome result={result} decoded={decodeResult(compiled, definition.name, result.output)} />
            )}
          />
        )}
      </div>
    </>
  );
}

function MethodForm(props: FormProps) {
  const { contract, definition } = props;
  const { fields, mistake, take, input } = useArguments(props);
  const [amount, setAmount] = useState('');
  const [sender, setSender] = useState('');
  const simulation = useAction<Awaited<ReturnType<typeof client.value.tx_simulate>>>();
  const sending = useAction<Parameters<typeof SentOutcome>[0]['sent']>();
  const [last, setLast] = useState<'simulate' | 'send'>('simulate');
  const key = heldKey.value;

  const prepared = () => {
    const encoded = input();
    if (encoded === undefined) return undefined;
    const value = take(prepareAmount(amount, 'call.value'));
    if (value === undefined) return undefined;
    return { type: 'call', value: { contract, input: encoded.value, value: value.value } } as const;
  };
  const simulate = () => {
    setLast('simulate');
    const action = prepared();
    if (action === undefined) return;
    const as = take(prepareAddress(sender, 'call.sender'));
    if (as === undefined) return;
    const from = as.value ?? key?.signer.address ?? NOBODY;
    simulation.start(() => client.value.tx_simulate({ build: { sender: from, action } }));
  };
  const send = () => {
    setLast('send');
    const action = prepared();
    if (action === undefined || key === undefined) return;
    sending.start(() => client.value.sender(key.signer).send(action, { wait: 'included' }));
  };
  const isSending = sending.outcome?.state === 'loading';
  return (
    <>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          simulate();
        }}
      >
        {fields}
        {definition.payable === true && (
          <LineInput
            label="Value"
            hint="native units sent along"
            path="call.value"
            value={amount}
            placeholder="0"
            mistake={mistake}
            onChange={setAmount}
          />
        )}
        <LineInput
          label="Simulate as"
          hint="optional address"
          path="call.sender"
          value={sender}
          placeholder={key === undefined ? 'the zero address' : 'your key'}
          mistake={mistake}
          onChange={setSender}
        />
        <MistakeNotice mistake={mistake} />
        <p class="actions">
          <button type="submit">Simulate</button>
          <button type="button" class="primary" disabled={key === undefined || isSending} onClick={send}>
            Sign and send
          </button>
          {key === undefined ? (
            <a href="#/settings">Choose a key to send</a>
          ) : (
            <span class="muted">
              as <AddressHex of={key.signer.address} />
            </span>
          )}
        </p>
      </form>
      <div class="outcome" aria-live="polite">
        {last === 'simulate' && simulation.outcome !== undefined && (
          <WhenReady
            of={simulation.outcome}
            retry={simulate}
            show={(result) => (
              <>
                <h4>Simulation: nothing was sent</h4>
                <SimulationOutcome result={result} />
              </>
            )}
          />
        )}
        {last === 'send' && sending.outcome !== undefined && (
          <WhenReady
            of={sending.outcome}
            show={(sent) => (
              <>
                <h4>Sent</h4>
                <SentOutcome sent={sent} />
              </>
            )}
          />
        )}
      </div>
    </>
  );
}
