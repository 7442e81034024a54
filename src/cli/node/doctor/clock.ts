import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { errorMessage } from '../../../base/errors.js';
import { ClientError, connect } from '../../../client/client.js';
import { RpcCallError } from '../../../client/rpc-call-error.js';
import { MAX_AHEAD_MS } from '../../../consensus/shell/block-verifications.js';
import { isDevelopmentChain } from '../../../ledger/dev-genesis.js';
import { type DoctorContext, type Finding, ok, problem, warning } from './doctor-context.js';

const run = promisify(execFile);

const SYNCHRONIZED = 'a clock that the system keeps synchronized (systemd-timesyncd, chrony, ntpd)';
const SYNCHRONIZE = 'install and start chrony, or run: timedatectl set-ntp true';
const PROGRAM_MS = 3_000;
const NODE_MS = 5_000;
/** Samples per node. The fastest has the smallest error; the first includes connection setup. */
const SAMPLES = 3;
/** A larger difference is a warning; one above {@link MAX_AHEAD_MS} is a problem. */
const NOTABLE_MS = 500;

/** Programs that report whether the system clock is synchronized, with a parser for their output. */
const REPORTERS = [
  {
    command: 'timedatectl',
    args: ['show', '--property=NTPSynchronized', '--value'],
    read: (output: string) => ({ yes: true, no: false })[output.trim()],
  },
  {
    command: 'chronyc',
    args: ['-n', 'tracking'],
    read: (output: string) => {
      const status = /^Leap status\s*:\s*(.+)$/m.exec(output)?.[1];
      return status === undefined ? undefined : status !== 'Not synchronised';
    },
  },
  {
    command: 'adjtimex',
    args: ['--print'],
    read: (output: string) => {
      // Bit 0x40 of the kernel's clock status is STA_UNSYNC.
      const status = /^\s*status:\s*(\d+)/m.exec(output)?.[1];
      return status === undefined ? undefined : (Number(status) & 0x40) === 0;
    },
  },
];

export async function checkClock(): Promise<Finding> {
  for (const { command, args, read } of REPORTERS) {
    const output = await outputOf(command, args);
    const synchronized = output === undefined ? undefined : read(output);
    if (synchronized === undefined) continue;
    const found = `${command} says that the clock is ${synchronized ? '' : 'not '}synchronized`;
    if (synchronized) return ok(found, SYNCHRONIZED);
    return warning(found, SYNCHRONIZED, SYNCHRONIZE);
  }
  const tried = REPORTERS.map(({ command }) => command).join(', ');
  return warning(
    `could not be checked: none of ${tried} answers here`,
    SYNCHRONIZED,
    'check the clock of the host; a container uses it too',
  );
}

/** Standard output of a program; undefined if it is missing, fails or hangs. */
async function outputOf(command: string, args: readonly string[]): Promise<string | undefined> {
  try {
    return (await run(command, args, { timeout: PROGRAM_MS, encoding: 'utf8' })).stdout;
  } catch {
    return undefined;
  }
}

/** Compares this machine's clock with those of the followed nodes and of --url. */
export async function checkClocksOfNodes({ urls }: DoctorContext): Promise<Finding[]> {
  const expected = `within ${NOTABLE_MS} ms of this machine's clock`;
  if (urls.length === 0) {
    return [ok('not compared: no nodes are followed; --url names others', expected)];
  }
  return Promise.all(urls.map((url) => compare(url, expected)));
}

async function compare(url: string, expected: string): Promise<Finding> {
  let offset: ClockOffset;
  try {
    offset = await measure(url);
  } catch (error) {
    const isAnswer = error instanceof ClientError || error instanceof RpcCallError;
    if (!isAnswer) throw error;
    const advice = 'check the URL and the network to that node, then run the doctor again';
    return warning(`could not be compared: ${errorMessage(error)}`, expected, advice);
  }
  const { differenceMs, errorMs } = offset;
  const direction = differenceMs < 0 ? 'behind' : 'ahead of';
  const amount = Math.round(Math.abs(differenceMs));
  const found = `the clock of ${url} is ${amount} ms ${direction} this one (± ${Math.ceil(errorMs)} ms)`;
  const certain = Math.abs(differenceMs) - errorMs;
  if (certain > NOTABLE_MS && offset.isDevelopmentChain) {
    return ok(`${found}; on a development chain, controls set it`, expected);
  }
  const advice = 'synchronize both clocks by NTP';
  if (certain > MAX_AHEAD_MS) {
    const limit = `${expected}; validators hold back blocks from more than ${MAX_AHEAD_MS} ms ahead`;
    return problem(found, limit, advice);
  }
  if (certain > NOTABLE_MS) return warning(found, expected, advice);
  return ok(found, expected);
}

interface ClockOffset {
  /** The node's clock minus this one's. */
  readonly differenceMs: number;
  /** Maximum error: half the round trip. */
  readonly errorMs: number;
  readonly isDevelopmentChain: boolean;
}

async function measure(url: string): Promise<ClockOffset> {
  const client = connect(url, { timeoutMs: NODE_MS, retry: { retries: 0 } });
  let best: ClockOffset | undefined;
  for (let sample = 0; sample < SAMPLES; sample++) {
    const sentAt = Date.now();
    const begin = performance.now();
    const { now_ms, validator_set } = await client.status();
    const errorMs = (performance.now() - begin) / 2;
    const differenceMs = Number(now_ms) - (sentAt + errorMs);
    if (best !== undefined && best.errorMs <= errorMs) continue;
    best = { differenceMs, errorMs, isDevelopmentChain: isDevelopmentChain(validator_set) };
  }
  return best ?? { differenceMs: 0, errorMs: Number.POSITIVE_INFINITY, isDevelopmentChain: false };
}
