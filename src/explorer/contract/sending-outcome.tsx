import type { RenderableProps } from 'preact';
import type { SignedDetails } from '../../client/client.js';
import { NativeAmount } from '../amounts/amount.js';
import { Button } from '../parts/controls.js';
import { FailureBox, Waiting } from '../parts/failure-box.js';
import { TransactionHex } from '../parts/hex.js';
import type { Shape } from '../parts/json-shape.js';
import { Fact, Facts } from '../parts/layout.js';
import { grouped } from '../text/format.js';
import { SentOutcome, SimulationOutcome } from './outcome.js';
import type { Sending } from './sending.js';

interface SendingOutcomeProps {
  readonly sending: Sending;
  readonly result: Shape | undefined;
  readonly onForget: () => void;
}

/** How far a sending has come. Its hash is shown as soon as there is one. @param onForget lets the form send again */
export function SendingOutcome({ sending, result, onForget }: SendingOutcomeProps) {
  switch (sending.state) {
    case 'checking':
      return <Waiting text="Simulating the call before it is signed…" />;
    case 'held':
      return (
        <>
          <h4>Not sent</h4>
          {sending.failure !== undefined && (
            <FailureBox failure={sending.failure} note="The call was not simulated, so it was not signed." />
          )}
          {sending.simulation !== undefined && (
            <>
              <p>The call would fail now, and its fee would be charged all the same.</p>
              <SimulationOutcome result={sending.simulation} decodedAs={result} />
            </>
          )}
          <p class="actions">
            <Button onClick={sending.sendAnyway}>Send anyway</Button>
            <Button onClick={onForget}>Do not send</Button>
          </p>
        </>
      );
    case 'waiting':
      return sending.details === undefined ? (
        <Waiting text="Signing…" />
      ) : (
        <>
          <h4>On its way</h4>
          <SignedFacts of={sending.details} />
          <Waiting text="Waiting until it is in a block…" />
        </>
      );
    case 'included':
      return (
        <>
          <h4>Sent</h4>
          <SentOutcome receipt={sending.receipt} hash={sending.details.hash} decodedAs={result} />
        </>
      );
    case 'failed':
      return (
        <>
          <h4>Not sent</h4>
          <FailureBox failure={sending.failure} />
        </>
      );
    case 'unsure':
      return (
        <>
          <h4>Perhaps sent</h4>
          <FailureBox
            failure={sending.failure}
            note="The transaction may be on the chain already. Another signature could execute the call twice."
          />
          <SignedFacts of={sending.details}>
            <p class="actions">
              <Button class="primary" onClick={sending.lookAgain}>
                Look for it again
              </Button>
              <Button onClick={onForget}>Give it up</Button>
            </p>
          </SignedFacts>
        </>
      );
  }
}

function SignedFacts({ of, children }: RenderableProps<{ readonly of: SignedDetails }>) {
  return (
    <>
      <Facts>
        <Fact name="Transaction">
          <TransactionHex of={of.hash} copy />
        </Fact>
        <Fact name="Fee at most">
          <NativeAmount of={of.gasLimit * of.maxFee} />{' '}
          <span class="muted">
            ({grouped(of.gasLimit)} gas at {grouped(of.maxFee)})
          </span>
        </Fact>
      </Facts>
      {children}
    </>
  );
}
