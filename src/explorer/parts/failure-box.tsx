import type { ComponentChildren } from 'preact';
import type { Failure } from '../node/failure.js';
import type { Loaded, Loading } from '../node/loading.js';
import { route } from '../routing/location.js';
import { Button } from './controls.js';
import { TokenForm } from './token-form.js';

interface FailureBoxProps {
  readonly failure: Failure;
  /** A further sentence. */
  readonly note?: string;
  readonly retry?: (() => void) | undefined;
}

/** A failed call: its cause and the possible next steps. */
export function FailureBox({ failure, note, retry }: FailureBoxProps) {
  return (
    <div class="notice notice-bad">
      <p role="alert">
        <strong>{failure.title}.</strong> {failure.text} {note}
      </p>
      <p class="actions">{retry !== undefined && <Button onClick={retry}>Try again</Button>}</p>
      {failure.wantsToken && route.value.page !== 'settings' && (
        <details>
          <summary>Enter an access token</summary>
          <TokenForm onUse={retry} />
        </details>
      )}
    </div>
  );
}

/** A placeholder while something loads. */
export function Waiting({ text = 'Loading…' }: { readonly text?: string }) {
  return (
    <p class="waiting" role="status">
      {text}
    </p>
  );
}

export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

/** Shows a value, a placeholder while it loads, or its failure with a retry button. A value outlives failed reloads. */
export function WhenLoaded<T>({
  of,
  children,
}: {
  readonly of: Loaded<T>;
  readonly children: (value: T) => ComponentChildren;
}) {
  return <WhenReady of={of.loading} retry={of.reload} show={children} />;
}

interface WhenReadyProps<T> {
  readonly of: Loading<T> | undefined;
  readonly retry?: () => void;
  readonly show: (value: T) => ComponentChildren;
}

/** Like {@link WhenLoaded}, for an action; nothing before its start. */
export function WhenReady<T>({ of, retry, show }: WhenReadyProps<T>) {
  switch (of?.state) {
    case undefined:
      return null;
    case 'loading':
      return <Waiting />;
    case 'failed':
      return <FailureBox failure={of.failure} retry={retry} />;
    case 'ready':
      return (
        <>
          {of.stale !== undefined && (
            <FailureBox failure={of.stale} note="The page shows the last known state." retry={retry} />
          )}
          {show(of.value)}
        </>
      );
  }
}
