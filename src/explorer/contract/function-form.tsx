import { client } from '../node/connection.js';
import { useAction } from '../node/loading.js';
import { Form, LineInput, useLine } from '../parts/controls.js';
import { WhenReady } from '../parts/failure-box.js';
import { type FormProps, MistakeNotice, useArguments } from './arguments.js';
import { decodeResult, resultShape } from './decode-result.js';
import { MethodForm } from './method-form.js';
import { ViewOutcome } from './outcome.js';
import { prepareHeight } from './prepare-call.js';

/** The form of one function: its arguments and the buttons to call it. */
export function FunctionForm(props: FormProps) {
  return props.definition.kind === 'view' ? <ViewForm {...props} /> : <MethodForm {...props} />;
}

function ViewForm(props: FormProps) {
  const { contract, compiled, definition } = props;
  const { fields, mistake, take, input } = useArguments(props);
  const height = useLine('call.height');
  const view = useAction<Awaited<ReturnType<typeof client.value.view_call>>>();
  const run = () => {
    const encoded = input();
    if (encoded === undefined) return;
    const at = take(prepareHeight(height));
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
      <Form onSubmit={run}>
        {fields}
        <LineInput {...height} label="At height" hint="optional" placeholder="latest" mistake={mistake} />
        <MistakeNotice mistake={mistake} />
        <p class="actions">
          <button type="submit" class="primary">
            Run
          </button>
        </p>
      </Form>
      <div class="outcome" aria-live="polite">
        <WhenReady
          of={view.outcome}
          retry={run}
          show={(result) => (
            <ViewOutcome
              contract={contract}
              name={definition.name}
              result={result}
              decoded={decodeResult(compiled, definition.name, result.output)}
              decodedAs={resultShape(compiled, definition)}
            />
          )}
        />
      </div>
    </>
  );
}
