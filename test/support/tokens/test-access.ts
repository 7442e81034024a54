import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '../../../src/config/log.js';
import { Access, type AccessMemory, type AccessRules, accessMemory } from '../../../src/rpc/access/access.js';
import { EmbeddedQuotaStore } from '../../../src/rpc/access/embedded-quota-store.js';
import type { QuotaStore } from '../../../src/rpc/access/quota-store.js';
import { TokenManager } from '../../../src/rpc/access/token-manager.js';
import { createTokenFiles, issueToken } from '../../../src/rpc/access/token-setup.js';
import { TokenSlots } from '../../../src/rpc/access/token-slots.js';
import type { IssuedToken, TokenClaims } from '../../../src/rpc/access/tokens.js';
import { EmbeddedUsageStore } from '../../../src/rpc/access/usage/embedded-usage-store.js';
import { UsageBook } from '../../../src/rpc/access/usage/usage-book.js';
import { openStore } from '../../../src/storage/open-store.js';
import type { Store } from '../../../src/storage/store.js';

/** The rules of a development chain. */
export const OPEN_RULES: AccessRules = {
  paidAccess: 'open',
  addressRates: { public: undefined, paid: undefined },
  issuerKeyFiles: [],
  maxCost: 50,
  maxCallGas: 1_000_000_000,
  maxCallMs: 5_000,
};

export interface TestAccessOptions {
  readonly rules?: Partial<AccessRules>;
  readonly log: Log;
  readonly now?: (() => number) | undefined;
}

/** The tokens of a node without the node: token files, a store and a manager in a temporary directory. */
export class TestAccess {
  readonly directory: string;
  readonly manager: TokenManager;
  readonly usage: UsageBook;
  readonly quotas: QuotaStore;
  readonly memory: AccessMemory;
  readonly adminTokenPath: string;
  readonly #store: Store;
  readonly #options: TestAccessOptions;

  static async open(options: TestAccessOptions): Promise<TestAccess> {
    const directory = await mkdtemp(join(tmpdir(), 'heddle-access-'));
    const { log, now } = options;
    const memory = accessMemory();
    const store = await openStore({
      directory: join(directory, 'store'),
      native: 'off',
      report: () => undefined,
    });
    const files = { dataDirectory: directory, log, ...(now === undefined ? {} : { now }) };
    const quotas = new EmbeddedQuotaStore(store);
    const manager = new TokenManager({
      store: quotas,
      slots: new TokenSlots(memory.tokens),
      sign: (claims) => issueToken(files, claims),
      now: now ?? Date.now,
      onFault: (error) => log.error({ err: error }, 'the token manager failed'),
    });
    const adminTokenPath = await createTokenFiles(files, manager);
    return new TestAccess(directory, store, quotas, manager, memory, adminTokenPath, options);
  }

  private constructor(
    directory: string,
    store: Store,
    quotas: QuotaStore,
    manager: TokenManager,
    memory: AccessMemory,
    adminTokenPath: string,
    options: TestAccessOptions,
  ) {
    this.directory = directory;
    this.#store = store;
    this.quotas = quotas;
    this.manager = manager;
    const { log, now = Date.now } = options;
    this.usage = new UsageBook({
      store: new EmbeddedUsageStore(store),
      now,
      isShared: false,
      onFault: (error) => log.error({ err: error }, 'writing usage failed'),
      onLost: (calls) => log.error({ calls }, 'usage was lost'),
    });
    this.memory = memory;
    this.adminTokenPath = adminTokenPath;
    this.#options = options;
  }

  /** The access of one thread; several share rates and balances. */
  access(rules: Partial<AccessRules> = this.#options.rules ?? {}): Promise<Access> {
    return Access.open({
      ...this.#files,
      rules: { ...OPEN_RULES, ...rules },
      memory: this.memory,
      service: this.manager,
      usage: this.usage,
    });
  }

  issue(claims: TokenClaims): Promise<IssuedToken> {
    return this.manager.issue(claims);
  }

  async adminToken(): Promise<string> {
    return (await readFile(this.adminTokenPath, 'utf8')).trim();
  }

  async dispose(): Promise<void> {
    await this.manager.close();
    await this.usage.close();
    await this.#store.close();
    await rm(this.directory, { recursive: true });
  }

  get #files(): { readonly dataDirectory: string; readonly log: Log; readonly now?: () => number } {
    const { log, now } = this.#options;
    return { dataDirectory: this.directory, log, ...(now === undefined ? {} : { now }) };
  }
}
