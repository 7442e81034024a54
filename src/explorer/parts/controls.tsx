import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { EnteredLine, Mistake } from './mistake.js';

/** A button that submits no form. */
export function Button(props: ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type="button" {...props} />;
}

interface FormProps {
  readonly class?: string;
  readonly onSubmit: () => void;
  readonly children: ComponentChildren;
}

/** A form that the page handles itself. */
export function Form({ class: name = 'form', onSubmit, children }: FormProps) {
  return (
    <form
      class={name}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

/**
 * The first items of a list, and a button that shows more of them; absent once all are shown.
 * @param step number of items shown at first, and added per click
 * @param all names all of them, such as `120 functions`
 */
export function useShown<T>(items: readonly T[], step: number, all: string, buttonClass?: string) {
  const [count, setCount] = useState(step);
  const more =
    items.length > count ? (
      <Button class={buttonClass} onClick={() => setCount(count + step)}>
        Show more of {all}
      </Button>
    ) : undefined;
  return { shown: items.slice(0, count), more };
}

interface CheckProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  /** The group of a radio button; absent for a check box. */
  readonly radio?: string;
  readonly children: ComponentChildren;
}

export function Check({ checked, onChange, radio, children }: CheckProps) {
  return (
    <label class="check">
      <input
        type={radio === undefined ? 'checkbox' : 'radio'}
        name={radio}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />{' '}
      {children}
    </label>
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  /** Value and text of each. */
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly isWrong?: boolean;
  readonly onChange: (value: string) => void;
}

export function Select({ label, value, options, isWrong, onChange }: SelectProps) {
  const id = useId();
  return (
    <>
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        aria-invalid={isWrong}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </>
  );
}

/** What the user enters in one {@link LineInput}, which takes it as properties. */
export function useLine(path: string, initial = '') {
  const [value, onChange] = useState(initial);
  return { path, value, onChange };
}

interface LineInputProps extends EnteredLine {
  readonly label: string;
  readonly hint?: string;
  readonly mistake?: Mistake | undefined;
  readonly placeholder?: string;
  /** For text that others must not read; its mistakes are announced. */
  readonly isSecret?: boolean;
  readonly onChange: (text: string) => void;
}

/** A labelled single-line input for a value outside the types of a contract. */
export function LineInput(props: LineInputProps) {
  const { label, hint, path, value, mistake, placeholder, isSecret = false, onChange } = props;
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
        class={isSecret ? 'secret' : undefined}
        value={value}
        placeholder={placeholder}
        autocomplete="off"
        autocapitalize={isSecret ? 'off' : undefined}
        spellcheck={false}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `${id}-mistake` : undefined}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {isWrong && (
        <p class="mistake" id={`${id}-mistake`} role={isSecret ? 'alert' : undefined}>
          {mistake.message}
        </p>
      )}
    </div>
  );
}
