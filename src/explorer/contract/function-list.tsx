import { useMemo, useState } from 'preact/hooks';
import type { ContractFunctionDefinition } from '../../idl/manifest.js';
import { compileInterface } from '../interface/contract-interface.js';
import { useShown } from '../parts/controls.js';
import { Empty } from '../parts/failure-box.js';
import { Section } from '../parts/layout.js';
import { DocText, LongText } from '../parts/text.js';
import { counted } from '../text/format.js';
import { shortName } from '../text/untrusted.js';
import type { FormProps } from './arguments.js';
import { FunctionForm } from './function-form.js';
import { sendingOf } from './sending.js';
import { shownType } from './type-hint.js';

/** Number of functions shown at first, and added per click. */
const STEP = 40;

/** Methods that run only at deployments and upgrades. */
const CALLED_BY_CHAIN = ['init', 'migrate'];

export interface FormsProps {
  readonly contract: Uint8Array;
  /** The contract's interface text. */
  readonly idl: string;
}

export function ContractForms({ contract, idl }: FormsProps) {
  const compilation = useMemo(() => compileInterface(idl), [idl]);
  if (!compilation.ok) {
    return (
      <div class="notice notice-bad">
        <p>The interface of this contract does not compile:</p>
        <LongText text={compilation.message} max={600} block />
      </div>
    );
  }
  const { compiled } = compilation;
  const { functions, doc } = compiled.definition;
  const views = functions.filter(({ kind }) => kind === 'view');
  const methods = functions.filter(({ kind, name }) => kind === 'method' && !CALLED_BY_CHAIN.includes(name));
  return (
    <>
      {doc !== undefined && <DocText text={doc} />}
      <Section title="Views" aside={<span class="muted">read only, free</span>}>
        <Functions contract={contract} compiled={compiled} functions={views} />
      </Section>
      <Section title="Methods" aside={<span class="muted">change the chain</span>}>
        <Functions contract={contract} compiled={compiled} functions={methods} />
      </Section>
    </>
  );
}

interface FunctionsProps extends Omit<FormProps, 'definition'> {
  readonly functions: readonly ContractFunctionDefinition[];
}

function Functions({ functions, ...of }: FunctionsProps) {
  const { shown, more } = useShown(functions, STEP, counted(functions.length, 'function'));
  if (functions.length === 0) return <Empty>None.</Empty>;
  return (
    <>
      <ul class="functions">
        {shown.map((definition) => (
          <li key={definition.name}>
            <FunctionItem {...of} definition={definition} />
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}

/** One function; its form appears when it is first opened, and stays, so that closing it loses no input. */
function FunctionItem(props: FormProps) {
  const { contract, definition } = props;
  // A call on its way is in view although the reader has left the page in between.
  const [isOpenAtFirst] = useState(() => sendingOf(contract, definition.name) !== undefined);
  const [opened, setOpened] = useState(isOpenAtFirst);
  return (
    <details
      class="function"
      open={isOpenAtFirst}
      onToggle={(event) => {
        if (event.currentTarget.open) setOpened(true);
      }}
    >
      <summary>
        <span class="mono">{signatureOf(definition)}</span>
      </summary>
      {opened && (
        <>
          {definition.doc !== undefined && <DocText text={definition.doc} />}
          {definition.deprecated !== undefined && (
            <p class="notice">Deprecated: {shortName(definition.deprecated, 200)}</p>
          )}
          <FunctionForm {...props} />
        </>
      )}
    </details>
  );
}

/** Maximum number of parameters shown in a heading. */
const MAX_PARAMETERS = 8;

function signatureOf({ name, params, returns }: ContractFunctionDefinition): string {
  const shown = params
    .slice(0, MAX_PARAMETERS)
    .map(
      (field) =>
        `${shortName(field.name, 32)}${field.optional === true ? '?' : ''}: ${shownType(field.type)}`,
    );
  const list = params.length > MAX_PARAMETERS ? [...shown, '…'] : shown;
  const result = returns === undefined ? '' : ` → ${shownType(returns)}`;
  return `${shortName(name)}(${list.join(', ')})${result}`;
}
