import { toHex } from '../../idl/hex.js';
import { type CheckedBlock, checkFinality } from '../node/check-finality.js';
import { status } from '../node/live.js';
import { useAction } from '../node/loading.js';
import { trustedKey } from '../node/trusted-key.js';
import { WhenReady } from '../parts/failure-box.js';
import { Height, Hex } from '../parts/hex.js';
import { Fact, Facts } from '../parts/layout.js';
import { Badge } from '../parts/status.js';

/**
 * Verifies in the browser that a block is final, and shows its header.
 * @param hash hash of the block on the page, 32 bytes, which the certified one must have
 */
export function FinalityCheck({ height, hash }: { readonly height: bigint; readonly hash?: Uint8Array }) {
  const check = useAction<CheckedBlock>();
  const key = trustedKey.value;
  const chainId = status.value?.chain_id;
  const start = () => {
    if (key !== undefined && chainId !== undefined) {
      check.start(() => checkFinality(height, key.hex, chainId));
    }
  };
  return (
    <>
      <p class="action-line">
        <button type="button" disabled={key === undefined} onClick={start}>
          Check finality in this browser
        </button>
        {key?.isGiven === true ? (
          <span class="muted">Verifies the certificate with the key that you gave.</span>
        ) : (
          <span class="muted">
            Verifies the certificate with the key that this node reports. To rely on nothing that the node
            says, give <a href="#/validators">the validators' key</a> from another source.
          </span>
        )}
      </p>
      <div aria-live="polite">
        {check.outcome !== undefined && (
          <WhenReady
            of={check.outcome}
            retry={start}
            show={(block) => <Checked block={block} shownHash={hash} />}
          />
        )}
      </div>
    </>
  );
}

function Checked({
  block,
  shownHash,
}: {
  readonly block: CheckedBlock;
  readonly shownHash: Uint8Array | undefined;
}) {
  const { header, hash } = block;
  const isOther = shownHash !== undefined && toHex(shownHash) !== toHex(hash);
  return (
    <>
      {isOther ? (
        <p class="notice notice-bad" role="alert">
          <strong>The validators certified another block than this page shows.</strong> The certificate is
          valid, but for the block with the hash below. The node's summary and transactions above are not
          those of the chain.
        </p>
      ) : (
        <p>
          <Badge tone="good" text="final: the certificate is valid" />{' '}
          {shownHash !== undefined && (
            <span class="muted">
              The hash above is the certified one. The transactions listed above are not checked.
            </span>
          )}
        </p>
      )}
      <Facts>
        <Fact name="Checked block">
          <Height of={header.height} />
        </Fact>
        <Fact name="Block hash">
          <Hex text={toHex(hash)} copy="block hash" long />
        </Fact>
        <Fact name="State root">
          <Hex text={toHex(header.state_root)} copy="state root" long />
        </Fact>
        <Fact name="Transactions root">
          <Hex text={toHex(header.transactions_root)} copy="transactions root" long />
        </Fact>
        <Fact name="Receipts root">
          <Hex text={toHex(header.receipts_root)} copy="receipts root" long />
        </Fact>
        <Fact name="History root">
          <Hex text={toHex(header.history_root)} copy="history root" long />
        </Fact>
        <Fact name="Validators">
          <Hex text={toHex(header.validators_hash)} copy="validators hash" long />
        </Fact>
      </Facts>
    </>
  );
}
