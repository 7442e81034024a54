import type { RenderableProps } from 'preact';
import { useId } from 'preact/hooks';
import type { TypeReference } from '../../idl/manifest.js';
import type { TypeTable } from '../../idl/type-table.js';
import { Button, Check } from '../parts/controls.js';
import type { Mistake } from '../parts/mistake.js';
import { type Draft, emptyDraft } from './draft.js';
import { draftText } from './draft-value.js';
import { exampleJson, exampleOf, inputModeOf, shownType } from './type-hint.js';

export interface FieldProps {
  readonly types: TypeTable;
  readonly type: TypeReference;
  readonly label: string;
  readonly path: string;
  readonly draft: Draft;
  readonly mistake: Mistake | undefined;
  readonly onChange: (draft: Draft) => void;
}

/** The parts of a value, with a button to enter it as JSON text instead. */
export function Group({ types, type, label, draft, onChange, children }: RenderableProps<FieldProps>) {
  return (
    <fieldset class="group">
      <legend>
        {label} <span class="type mono">{shownType(type)}</span>
      </legend>
      {children}
      <Button
        class="link-button"
        aria-label={`Enter as JSON: ${label}`}
        onClick={() => onChange({ kind: 'json', text: draftText(types, type, draft) })}
      >
        Enter as JSON
      </Button>
    </fieldset>
  );
}

/** Returns from JSON text to empty fields; absent for a type that has none. */
function FieldsButton({ types, type, label, onChange }: FieldProps) {
  const empty = emptyDraft(types, type);
  if (empty.kind === 'json') return null;
  return (
    <p>
      <Button class="link-button" aria-label={`Enter in fields: ${label}`} onClick={() => onChange(empty)}>
        Enter in fields
      </Button>
    </p>
  );
}

/** A text input or text area with its label, type and mistake. */
export function TextField(
  props: FieldProps & { readonly text: string; readonly primitive?: string; readonly isJson?: boolean },
) {
  const { types, label, type, path, mistake, onChange, text, primitive = '', isJson = false } = props;
  const id = useId();
  const isWrong = mistake?.path === path;
  const shared = {
    id,
    value: text,
    'aria-invalid': isWrong,
    'aria-describedby': isWrong ? `${id}-mistake` : undefined,
    autocomplete: 'off',
    spellcheck: false,
  } as const;
  return (
    <div class="field">
      <label for={id}>
        {label} <span class="type mono">{isJson ? `${shownType(type)}, as JSON` : shownType(type)}</span>
      </label>
      {isJson || primitive === 'string' ? (
        <textarea
          {...shared}
          rows={isJson ? 3 : 1}
          placeholder={isJson ? exampleJson(types, type) : undefined}
          onInput={(event) => onChange({ kind: isJson ? 'json' : 'text', text: event.currentTarget.value })}
        />
      ) : (
        <input
          {...shared}
          type="text"
          inputMode={inputModeOf(primitive)}
          placeholder={exampleOf(primitive)}
          onInput={(event) => onChange({ kind: 'text', text: event.currentTarget.value })}
        />
      )}
      {isWrong && (
        <p class="mistake" id={`${id}-mistake`}>
          {mistake.message}
        </p>
      )}
      {isJson && <FieldsButton {...props} />}
    </div>
  );
}

export function BoolField({ label, value, onChange }: FieldProps & { readonly value: boolean }) {
  return (
    <div class="field">
      <Check checked={value} onChange={(checked) => onChange({ kind: 'bool', value: checked })}>
        {label} <span class="type mono">bool</span>
      </Check>
    </div>
  );
}
