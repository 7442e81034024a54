import assert from 'node:assert/strict';
import { join } from 'node:path';
import { packageRoot } from '../../../src/config/package-info.js';
import type { RunningNode } from '../../../src/node.js';
import { type CommandOutcome, heddle } from '../nodes/command-line.js';
import { devNode } from '../nodes/dev-node.js';
import { NodeParts } from '../nodes/node-parts.js';

const FOLDER = join(packageRoot(), 'contracts', 'token');
export const TOKEN_WASM = join(FOLDER, 'token.wasm');
export const TOKEN_IDL = join(FOLDER, 'token.idl');

/** Arguments of the token's init: account 0 holds 10,000,000.00 THR. */
export const TOKEN_INIT = [
  ...['name=Thread', 'symbol=THR', 'decimals=2', 'supply=1e9', 'owner=dev:0', 'minter=dev:0'],
];

/** A development node in this process that seals at once, with a token of two decimals. */
export class TokenChain {
  readonly node: RunningNode;
  /** The token's address. */
  readonly token: string;
  /** The transaction that deployed it. */
  readonly deployment: string;
  readonly #parts: NodeParts;

  private constructor(parts: NodeParts, node: RunningNode, token: string, deployment: string) {
    this.#parts = parts;
    this.node = node;
    this.token = token;
    this.deployment = deployment;
  }

  static async start(): Promise<TokenChain> {
    const parts = new NodeParts();
    const node = await devNode(parts, { seal: 'instant' });
    const args = ['contract', 'deploy', TOKEN_WASM, '--idl', TOKEN_IDL, '--from-dev', '0', ...TOKEN_INIT];
    const { code, out, err } = await heddle(args, { HEDDLE_URL: node.url });
    assert.equal(code, 0, err);
    return new TokenChain(parts, node, found(out, /^contract +(0x\w+)/m), found(out, /^transaction +(\w+)/m));
  }

  /** Runs a command against the node. */
  run(...args: readonly string[]): Promise<CommandOutcome> {
    return heddle(args, { HEDDLE_URL: this.node.url });
  }

  /** Runs a command that succeeds without a word on standard error, and returns its output. */
  async read(...args: readonly string[]): Promise<string> {
    const { code, out, err } = await this.run(...args);
    assert.equal(err, '', args.join(' '));
    assert.equal(code, 0, args.join(' '));
    return out;
  }

  /** The JSON that a command prints. */
  async json(...args: readonly string[]): Promise<unknown> {
    return JSON.parse(await this.read(...args, '--json'));
  }

  /** Sends the smallest units of the token from account 0, or another, even if that fails. Returns the transaction's hash and height. */
  async pay(
    to: string,
    amount: number,
    from = '0',
  ): Promise<{ readonly hash: string; readonly height: number }> {
    const args = ['contract', 'call', this.token, 'transfer', `to=${to}`, `amount=${amount}`];
    const { out } = await this.run(...args, '--from-dev', from, '--force');
    return { hash: found(out, /^transaction +(\w+)/m), height: Number(found(out, /^block +(\d+)/m)) };
  }

  stop(): Promise<void> {
    return this.#parts.close();
  }
}

function found(text: string, pattern: RegExp): string {
  const [, value] = pattern.exec(text) ?? [];
  assert.ok(value !== undefined, text);
  return value;
}
