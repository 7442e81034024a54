import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { removeDirectory, temporaryDirectory } from '../temporary-directory.js';

export { removeDirectory, temporaryDirectory };

const MAIN = fileURLToPath(new URL('../../../bundle/main.js', import.meta.url));
/** The same program in single modules, parts of which a preloaded file can replace; bundles have copies of them. */
const UNBUNDLED_MAIN = fileURLToPath(new URL('../../../src/main.js', import.meta.url));
const READY = /listening on (http:\/\/127\.0\.0\.1:\d+)/;
const START_TIMEOUT_MS = 90_000;
const MAX_LOG_CHARS = 1_000_000;

/** Running children, which are killed when the test process ends in any way. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export interface NodeProcessOptions {
  /** A data directory that the caller removes; absent: a temporary one that {@link NodeProcess.dispose} removes. */
  readonly dataDir?: string;
  /** Further flags of `heddle start`. */
  readonly flags?: readonly string[];
  /** Flags of Node itself. */
  readonly nodeFlags?: readonly string[];
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Limit on the node's open file descriptors; default: the limit of this process. */
  readonly openFiles?: number;
  /** Time limit for the node to listen; default 90,000. */
  readonly readyMs?: number;
}

export interface ExitState {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Result of a command that ran to its end. */
export interface CommandResult extends ExitState {
  readonly stdout: string;
  readonly stderr: string;
}

/** Options that a test run may set for all its nodes; a flag of a test overrides them. */
const RUN_OPTIONS = ['HEDDLE_NATIVE', 'HEDDLE_FRONT_THREADS', 'HEDDLE_MAX_BUFFERED_BYTES'];

/** The environment without variables that would configure the node unnoticed. */
function cleanEnvironment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => RUN_OPTIONS.includes(name) || !(name.startsWith('HEDDLE_') || name.startsWith('NODE_TEST')),
  );
  return { ...Object.fromEntries(inherited), NO_COLOR: '1', ...extra };
}

export interface RunningCommand {
  readonly child: ChildProcess;
  readonly ended: Promise<CommandResult>;
  /** Resolves once standard error matches. */
  said(pattern: RegExp): Promise<void>;
}

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Time after which the command is killed. */
  readonly timeoutMs?: number;
  /** Default ignore. */
  readonly stdin?: 'ignore' | 'pipe';
  /** A file descriptor; default a pipe that is read. */
  readonly stdout?: number;
}

/** Starts `heddle …`. */
export function startHeddle(args: readonly string[], options: CommandOptions = {}): RunningCommand {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: cleanEnvironment(options.env),
    stdio: [options.stdin ?? 'ignore', options.stdout ?? 'pipe', 'pipe'],
  });
  running.add(child);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs ?? 20_000);
  const ended = new Promise<CommandResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ code, signal, stdout, stderr });
    });
  });
  const said = (pattern: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (pattern.test(stderr)) resolve();
      };
      child.stderr?.on('data', look);
      look();
      ended.then(() => reject(new Error(`ended without saying ${pattern}:\n${stderr}`)), reject);
    });
  return { child, ended, said };
}

/** Runs `heddle …` to its end, or kills it after `timeoutMs` (then `signal` is SIGKILL). */
export function runHeddle(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  return startHeddle(args, options).ended;
}

/** A real node in a separate process, on a free port of 127.0.0.1. */
export class NodeProcess {
  readonly dataDir: string;
  readonly url: string;
  /** From spawning the process to its ready line. */
  readonly startMs: number;
  readonly #child: ChildProcess;
  readonly #ownsDataDir: boolean;
  readonly #log: { text: string };
  readonly #exit: Promise<ExitState>;

  private constructor(
    child: ChildProcess,
    started: StartedChild,
    dataDir: string,
    ownsDataDir: boolean,
    log: { text: string },
  ) {
    this.#child = child;
    this.url = started.url;
    this.startMs = started.startMs;
    this.dataDir = dataDir;
    this.#ownsDataDir = ownsDataDir;
    this.#log = log;
    this.#exit = started.exit;
  }

  /** Starts a node and waits until it listens; an early exit is an error with the node's output. */
  static async start(options: NodeProcessOptions = {}): Promise<NodeProcess> {
    const dataDir = options.dataDir ?? temporaryDirectory();
    const { flags = [], nodeFlags = [], env = {} } = options;
    const preloads = nodeFlags.includes('--import') || env['NODE_OPTIONS']?.includes('--import') === true;
    const main = preloads ? UNBUNDLED_MAIN : MAIN;
    const args = [main, 'start', '--port', '0', '--data-dir', dataDir, '--log-format', 'json'];
    const command = [process.execPath, ...nodeFlags, ...args, ...flags];
    const limited = ['bash', '-c', `ulimit -n ${options.openFiles}; exec "$@"`, 'bash', ...command];
    const [program = '', ...rest] = options.openFiles === undefined ? command : limited;
    const child = spawn(program, rest, {
      env: cleanEnvironment(preloads ? { ...env, UNBUNDLED_THREADS: '1' } : env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    const log = { text: '' };
    try {
      const started = await waitForReady(child, log, options.readyMs ?? START_TIMEOUT_MS);
      return new NodeProcess(child, started, dataDir, options.dataDir === undefined, log);
    } catch (error) {
      child.kill('SIGKILL');
      if (options.dataDir === undefined) removeDirectory(dataDir);
      throw error;
    }
  }

  /** Starts a node on a data directory and kills it after `afterMs`, ready or not. */
  static async startAndKill(dataDir: string, flags: readonly string[], afterMs: number): Promise<void> {
    const args = [MAIN, 'start', '--port', '0', '--data-dir', dataDir, '--log-format', 'json', ...flags];
    const child = spawn(process.execPath, args, { env: cleanEnvironment(), stdio: 'ignore' });
    running.add(child);
    const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
    await new Promise((resolve, reject) => {
      child.on('close', resolve);
      child.on('error', reject);
    });
    clearTimeout(timer);
    running.delete(child);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The node's output on both streams, in order of arrival. */
  get log(): string {
    return this.#log.text;
  }

  get exited(): Promise<ExitState> {
    return this.#exit;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sends `signal` and waits for the process to end, which takes `ms` milliseconds. Kills it after ten seconds. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<ExitState & { readonly ms: number }> {
    const begin = performance.now();
    this.#child.kill(signal);
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 10_000);
    const state = await this.#exit;
    clearTimeout(timer);
    return { ...state, ms: performance.now() - begin };
  }

  /** Sends SIGKILL and waits for the process to end. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exit;
  }

  /** Ends the process in any state and removes its temporary data directory. */
  async dispose(): Promise<void> {
    await this.kill();
    if (this.#ownsDataDir) removeDirectory(this.dataDir);
  }
}

interface StartedChild {
  readonly url: string;
  readonly startMs: number;
  readonly exit: Promise<ExitState>;
}

function waitForReady(child: ChildProcess, log: { text: string }, readyMs: number): Promise<StartedChild> {
  const begin = performance.now();
  const exit = new Promise<ExitState>((resolve) => {
    child.on('close', (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    });
  });
  return new Promise((resolve, reject) => {
    let ready = false;
    const timer = setTimeout(
      () => reject(new Error(`the node was not ready within ${readyMs} ms:\n${log.text}`)),
      readyMs,
    );
    const settle = (): void => {
      ready = true;
      clearTimeout(timer);
    };
    const hear = (chunk: Buffer): void => {
      log.text = (log.text + chunk.toString()).slice(-MAX_LOG_CHARS);
      const match = ready ? null : READY.exec(log.text);
      if (match?.[1] === undefined) return;
      settle();
      resolve({ url: match[1], startMs: performance.now() - begin, exit });
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.on('error', (error) => {
      settle();
      reject(error);
    });
    void exit.then(({ code, signal }) => {
      settle();
      reject(new Error(`the node ended with ${signal ?? code} before it was ready:\n${log.text}`));
    });
  });
}
