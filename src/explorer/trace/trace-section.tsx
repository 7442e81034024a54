import type { JSX } from 'preact';
import { client } from '../node/connection.js';
import { useAction } from '../node/loading.js';
import { Button } from '../parts/controls.js';
import { WhenReady } from '../parts/failure-box.js';
import { Section } from '../parts/layout.js';

/** Call tree and gas of an included transaction. The node executes it again, so this waits for a click. */
export function TraceSection({ hash }: { readonly hash: Uint8Array }) {
  const trace = useAction<JSX.Element>();
  const start = () =>
    trace.start(async () => {
      const tracers = [{ type: 'call_tree' }, { type: 'gas_profile' }] as const;
      const [answer, { TraceView }] = await Promise.all([
        client.value.chain_traceTransaction({ tx_hash: hash, tracers }),
        // Few readers of the page ask for it.
        import('./trace-view.js'),
      ]);
      return <TraceView trace={answer.trace} />;
    });
  return (
    <Section title="Execution">
      {trace.outcome === undefined ? (
        <p class="action-line">
          <Button onClick={start}>Trace this transaction</Button>
          <span class="muted">The node executes it again and reports every call.</span>
        </p>
      ) : (
        <WhenReady of={trace.outcome} retry={start} show={(view) => view} />
      )}
    </Section>
  );
}
