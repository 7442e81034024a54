import { useId } from 'preact/hooks';
import type { Mistake } from './mistake.js';

/** A labelled single-line input for a value outside the types of a contract. */
export function LineInput({
  label,
  hint,
  path,
  value,
  mistake,
  placeholder,
  onChange,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly path: string;
  readonly value: string;
  readonly mistake: Mistake | undefined;
  readonly placeholder?: string;
  readonly onChange: (text: string) => void;
}) {
  const id = useId();
  const isWrong = mistake?.path === path;
  return (
    <div class="field">
      <label for={id}>
        {label} {hint !== undefined && <span class="type">{hint}</span>}
      </label>
      <input
        id={id}
        type="text"
        value={value}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `${id}-mistake` : undefined}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {isWrong && (
        <p class="mistake" id={`${id}-mistake`}>
          {mistake.message}
        </p>
      )}
    </div>
  );
}
