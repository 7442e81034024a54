import { useState } from 'preact/hooks';
import type { ContractFunctionDefinition } from '../../idl/manifest.js';
import type { CompiledInterface } from '../interface/contract-interface.js';
import type { Mistake } from '../parts/mistake.js';
import { emptyArguments } from './draft.js';
import { Fields } from './field.js';
import { type Prepared, prepareInput } from './prepare-call.js';

export interface FormProps {
  /** 20 bytes. */
  readonly contract: Uint8Array;
  readonly compiled: CompiledInterface;
  readonly definition: ContractFunctionDefinition;
}

/** The fields of a function's arguments, and the mistake in the form, if there is one. */
export function useArguments({ compiled, definition }: FormProps) {
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
export function MistakeNotice({ mistake }: { readonly mistake: Mistake | undefined }) {
  if (mistake === undefined) return null;
  return (
    <p class="notice notice-bad" role="alert">
      <strong>{mistake.path.replace(/^(args|call)\./, '')}:</strong> {mistake.message}
    </p>
  );
}
