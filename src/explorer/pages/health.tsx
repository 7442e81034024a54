import { useMemo } from 'preact/hooks';
import { health, liveFailure, pool, samples, status } from '../node/live.js';
import { useAnswer, useLoaded } from '../node/loading.js';
import { Button } from '../parts/controls.js';
import { FailureBox, Waiting, WhenLoaded } from '../parts/failure-box.js';
import { Fact, Facts, Section } from '../parts/layout.js';
import { Badge } from '../parts/status.js';
import { blockSeries, sampleSeries } from '../plots/block-series.js';
import type { PlotProps } from '../plots/plot.js';
import { byteSize, duration, grouped } from '../text/format.js';
import { shortName } from '../text/untrusted.js';
import { Heading } from './heading.js';

/** Blocks in the plots. */
const BLOCKS = 120;

const whole = (value: number) => grouped(Math.round(value));

/** A plot, whose library only this page needs. */
function Plot(props: PlotProps) {
  const plot = useLoaded(() => import('../plots/plot.js'), []);
  return <WhenLoaded of={plot}>{(loaded) => <loaded.Plot {...props} />}</WhenLoaded>;
}

export function HealthPage() {
  const readiness = useAnswer('readiness', {});
  const blocks = useAnswer('list_blocks', { limit: BLOCKS });
  const polled = useMemo(() => sampleSeries(samples.value), [samples.value]);
  return (
    <>
      <Heading title="Node health">
        <Button
          onClick={() => {
            readiness.reload();
            blocks.reload();
          }}
        >
          Refresh
        </Button>
      </Heading>
      <Section title="State">
        {liveFailure.value !== undefined && <FailureBox failure={liveFailure.value} />}
        <NodeFacts />
        <WhenLoaded of={readiness}>
          {({ ready, reasons, sync }) => (
            <Facts>
              <Fact name="Readiness">
                <Badge tone={ready ? 'good' : 'bad'} text={ready ? 'ready' : 'not ready'} />{' '}
                {reasons.slice(0, 10).map((reason) => (
                  <span key={reason} class="reason">
                    {shortName(reason, 200)}
                  </span>
                ))}
              </Fact>
              <Fact name="Tip age">{duration(Number(sync.tip_age_ms))}</Fact>
            </Facts>
          )}
        </WhenLoaded>
      </Section>
      <Section title="Since this page was opened">
        <div class="plots">
          <Plot series={polled.pool} unit="transactions" format={whole} />
          <Plot series={polled.lag} unit="ms" format={duration} />
        </div>
      </Section>
      <Section title="Latest blocks">
        <WhenLoaded of={blocks}>
          {(listed) => {
            const series = blockSeries(listed.blocks);
            return (
              <div class="plots">
                <Plot series={series.interval} unit="ms" format={duration} />
                <Plot series={series.transactions} unit="transactions" format={whole} />
                <Plot series={series.gas} unit="gas" format={whole} />
              </div>
            );
          }}
        </WhenLoaded>
      </Section>
    </>
  );
}

function NodeFacts() {
  const now = status.value;
  const waiting = pool.value;
  const well = health.value;
  if (now === undefined || waiting === undefined || well === undefined) return <Waiting />;
  return (
    <Facts>
      <Fact name="Health">
        <Badge tone={well.status.type === 'ok' ? 'good' : 'bad'} text={well.status.type} />{' '}
        {well.status.type === 'degraded' && <span class="reason">{shortName(well.status.value, 200)}</span>}
      </Fact>
      <Fact name="Version">{shortName(now.version)}</Fact>
      <Fact name="Chain">{grouped(now.chain_id)}</Fact>
      <Fact name="Up for">{duration(Number(now.uptime_ms))}</Fact>
      <Fact name="Event loop lag">{duration(well.event_loop_lag_ms)}</Fact>
      <Fact name="Pool">
        {grouped(waiting.size)} of {grouped(waiting.capacity)}, {byteSize(Number(waiting.bytes))}
      </Fact>
      <Fact name="Waiting for a nonce">{grouped(waiting.gapped)}</Fact>
      <Fact name="Lowest accepted fee">{grouped(waiting.min_fee)}</Fact>
    </Facts>
  );
}
