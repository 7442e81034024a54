import { describeStatus } from '../../client/client.js';
import type { ExecStatus } from '../../generated/node-rpc-v1.js';
import { shortName } from '../text/untrusted.js';

export type Tone = 'good' | 'bad' | 'waiting' | 'plain';

/** A sign for each tone, so that colour is not the only difference. */
const SIGNS: Readonly<Record<Tone, string>> = { good: '✓', bad: '✕', waiting: '…', plain: '•' };

interface BadgeProps {
  readonly tone: Tone;
  readonly text: string;
  readonly title?: string | undefined;
}

/** A short state with a sign and a colour. */
export function Badge({ tone, text, title }: BadgeProps) {
  return (
    <span class={`badge badge-${tone}`} title={title}>
      <span aria-hidden="true">{SIGNS[tone]}</span> {text}
    </span>
  );
}

const NAMES: Readonly<Record<ExecStatus['type'], string>> = {
  success: 'success',
  reverted: 'reverted',
  out_of_gas: 'out of gas',
  trapped: 'trapped',
  invalid: 'invalid',
};

/** The outcome of a transaction or call in a word; the reason for a failure is the tooltip. */
export function StatusBadge({ of }: { readonly of: ExecStatus }) {
  const isSuccess = of.type === 'success';
  const reason = isSuccess ? undefined : shortName(describeStatus(of), 300);
  return <Badge tone={isSuccess ? 'good' : 'bad'} text={NAMES[of.type]} title={reason} />;
}

/** The reason for a failure, unless the badge says it all. The page shows a contract's own error separately. */
function reasonOf(status: ExecStatus): string | undefined {
  switch (status.type) {
    case 'success':
    case 'out_of_gas':
      return undefined;
    case 'reverted':
      return status.value.message;
    default:
      return describeStatus(status);
  }
}

/** The outcome with its reason. */
export function StatusLine({ of }: { readonly of: ExecStatus }) {
  const reason = reasonOf(of);
  return (
    <>
      <StatusBadge of={of} /> {reason !== undefined && <span class="reason">{shortName(reason, 300)}</span>}
      {of.type === 'trapped' && of.value.backtrace.length > 0 && (
        <ol class="backtrace mono">
          {of.value.backtrace.slice(0, 20).map((line) => (
            <li key={line}>{shortName(line, 120)}</li>
          ))}
        </ol>
      )}
    </>
  );
}

export function Finality({ finalized }: { readonly finalized: boolean }) {
  return <Badge tone={finalized ? 'good' : 'waiting'} text={finalized ? 'final' : 'not final yet'} />;
}
