import { useEffect, useRef } from 'preact/hooks';
import { toPrefixedHex } from '../idl/hex.js';
import { inUnits, showUnits } from './amounts/unit-choice.js';
import { heldKey } from './keys/key-store.js';
import { isFollowing, isStreaming, liveFailure, pollNow, status } from './node/live.js';
import { AddressPage } from './pages/address.js';
import { BlockPage } from './pages/block.js';
import { Heading } from './pages/heading.js';
import { HealthPage } from './pages/health.js';
import { HomePage } from './pages/home.js';
import { BlocksPage, PoolPage, TransactionsPage } from './pages/listings.js';
import { SearchBox } from './pages/search-box.js';
import { SettingsPage } from './pages/settings.js';
import { TransactionPage } from './pages/transaction.js';
import { ValidatorsPage } from './pages/validators.js';
import { Button } from './parts/controls.js';
import { useCurrentInView } from './parts/current-in-view.js';
import { Empty } from './parts/failure-box.js';
import { chooseTheme, isDark } from './parts/theme.js';
import { route } from './routing/location.js';
import type { Route } from './routing/route.js';
import { shortened } from './text/format.js';
import { shortName } from './text/untrusted.js';

const LINKS: readonly (readonly [page: Route['page'], href: string, name: string])[] = [
  ['home', '#/', 'Overview'],
  ['blocks', '#/blocks', 'Blocks'],
  ['transactions', '#/transactions', 'Transactions'],
  ['pool', '#/pool', 'Pool'],
  ['validators', '#/validators', 'Validators'],
  ['health', '#/health', 'Health'],
  ['settings', '#/settings', 'Settings'],
];

/** The whole document: header, the page that the address bar names, and footer. */
export function App() {
  return (
    <>
      {/* A link would change the fragment, which selects the page. */}
      <Button class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </Button>
      <Head />
      <main id="main" tabIndex={-1}>
        <ConnectionNotice />
        <CurrentPage />
      </main>
      <Foot />
    </>
  );
}

function Head() {
  const { page } = route.value;
  const key = heldKey.value;
  const row = useCurrentInView();
  return (
    <header class="head">
      <div class="head-row">
        <a class="brand" href="#/">
          <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
            <rect width="32" height="32" rx="7" class="brand-back" />
            <path d="M9 6v20M16 6v20M23 6v20" class="brand-warp" />
            <path d="M5 13h22M5 19h22" class="brand-weft" />
          </svg>
          Heddle
        </a>
        <SearchBox />
        <div class="head-tools">
          {key !== undefined && (
            <a class="key-chip mono" href="#/settings" title="The key that signs transactions">
              <span class="sr-only">Signing as </span>
              {shortened(toPrefixedHex(key.signer.address), 6, 4)}
            </a>
          )}
          <UnitsSwitch />
          <ThemeButton />
        </div>
      </div>
      <nav class="main-nav" aria-label="Pages" ref={row}>
        {LINKS.map(([name, href, text]) => (
          <a key={name} href={href} aria-current={name === page ? 'page' : undefined}>
            {text}
          </a>
        ))}
      </nav>
    </header>
  );
}

/** Switches between amounts in the smallest unit and in units with their symbols. */
function UnitsSwitch() {
  const isOn = inUnits.value;
  return (
    <Button
      class="units-switch"
      aria-pressed={isOn}
      title={
        isOn
          ? 'Amounts are in units, with the decimals and symbols of their currencies'
          : 'Amounts are in the smallest unit; show them in units, such as 1.5 instead of 150'
      }
      onClick={() => showUnits(!isOn)}
    >
      Units
    </Button>
  );
}

function ThemeButton() {
  const dark = isDark.value;
  return (
    <Button
      class="icon-button"
      aria-label={dark ? 'Use light colours' : 'Use dark colours'}
      title={dark ? 'Use light colours' : 'Use dark colours'}
      onClick={() => chooseTheme(dark ? 'light' : 'dark')}
    >
      <span aria-hidden="true">{dark ? '☀' : '☾'}</span>
    </Button>
  );
}

/** Announces once that the node stopped answering, and once that it answers again. */
function ConnectionNotice() {
  const failure = liveFailure.value;
  return (
    <div role="status">
      {failure !== undefined && (
        <div class="notice notice-bad">
          <p>
            <strong>{failure.title}.</strong> {failure.text} The page shows the last known state.
          </p>
          <p class="actions">
            <Button onClick={pollNow}>Try again</Button>
          </p>
        </div>
      )}
    </div>
  );
}

function CurrentPage() {
  const current = route.value;
  const first = useRef(true);
  useEffect(() => {
    // The browser does not move the focus when only the fragment changes.
    if (first.current) first.current = false;
    else {
      document.getElementById('page-title')?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
  }, [
    current.page,
    'height' in current && current.height,
    'hash' in current && current.hash,
    'address' in current && current.address,
  ]);
  return pageOf(current);
}

function pageOf(current: Route) {
  switch (current.page) {
    case 'home':
      return <HomePage />;
    case 'blocks':
      return <BlocksPage />;
    case 'transactions':
      return <TransactionsPage />;
    case 'pool':
      return <PoolPage />;
    case 'validators':
      return <ValidatorsPage />;
    case 'health':
      return <HealthPage />;
    case 'settings':
      return <SettingsPage />;
    case 'block':
      return <BlockPage key={String(current.height)} height={current.height} />;
    case 'transaction':
      return <TransactionPage key={current.hash} hash={current.hash} />;
    case 'address':
      return <AddressPage key={current.address} address={current.address} tab={current.tab} />;
    case 'unknown':
      return (
        <>
          <Heading title="Page not found" />
          <div class="card">
            <Empty>
              This address names no page. Go to the <a href="#/">overview</a>, or search above.
            </Empty>
          </div>
        </>
      );
  }
}

function Foot() {
  const now = status.value;
  return (
    <footer class="foot">
      {now !== undefined && (
        <p>
          Heddle {shortName(now.version, 32)}, chain {String(now.chain_id)} ·{' '}
          <span class="feed">{feedText()}</span>
        </p>
      )}
    </footer>
  );
}

/** How the page learns of new blocks, which explains a delay. */
function feedText(): string {
  if (!isFollowing.value) return 'updates paused';
  return isStreaming.value ? 'live over a WebSocket' : 'asks for updates every 2 s';
}
