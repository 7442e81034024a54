// Every order of events at the end of a ceremony, with one faulty participant and one crash.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EndRule, type EndVote } from '../../../src/consensus/ceremony/end-rule.js';

/** `a` abandons the attempt; `x` and `y` are geneses, with two signatures of the faulty participant. */
type Vote = 'a' | 'x' | 'y';
type Genesis = Exclude<Vote, 'a'>;

type Message =
  | { readonly kind: 'vote'; readonly sender: number; readonly value: Vote }
  | { readonly kind: 'confirm'; readonly sender: number; readonly value: Genesis }
  | { readonly kind: 'end'; readonly sender: number; readonly value: Genesis };

/** An honest participant that has approved the attempt. */
interface Participant {
  readonly votes: readonly (Vote | undefined)[];
  readonly confirmations: readonly (Genesis | undefined)[];
  /** It deals in the next attempt, and has no record of this one any more. */
  readonly deals: boolean;
  readonly ended: Genesis | undefined;
}

interface State {
  readonly honest: readonly Participant[];
  /** Messages on their way between honest participants, in order, by recipient and origin. */
  readonly links: Readonly<Record<string, readonly Message[]>>;
  readonly crashes: number;
  /** The votes that the faulty participant has shown to anyone. */
  readonly shown: readonly Vote[];
}

const GENESES: readonly Genesis[] = ['x', 'y'];

class Model {
  readonly #honest: number;
  readonly #crashes: number;

  /** The faulty participant has the highest index. */
  constructor(honest: number, crashes: number) {
    this.#honest = honest;
    this.#crashes = crashes;
  }

  get #size(): number {
    return this.#honest + 1;
  }

  start(): State {
    const none = Array.from({ length: this.#size }, () => undefined);
    const honest = this.#everybody().map(() => ({
      votes: none,
      confirmations: none,
      deals: false,
      ended: undefined,
    }));
    return { honest, links: {}, crashes: this.#crashes, shown: [] };
  }

  /** All states that one event can lead to. */
  next(state: State): State[] {
    return [
      ...Object.entries(state.links).flatMap(([link, [first, ...others]]) => {
        const [to = 0, from = 0] = link.split(' ').map(Number);
        return first === undefined
          ? []
          : [this.#receive({ ...state, links: { ...state.links, [link]: others } }, to, from, first)];
      }),
      ...this.#everybody().flatMap((index) => this.#own(state, index)),
    ];
  }

  /** Neither two ends, nor an end that others cannot reach. */
  check({ honest, links, shown }: State): void {
    const ended = honest.flatMap((each) => each.ended ?? []);
    const confirmed = honest.flatMap(({ confirmations }, index) => confirmations[index] ?? []);
    const text = () => JSON.stringify({ honest, shown });
    assert.ok(new Set(ended).size <= 1, text());
    if (ended.length > 0) {
      assert.ok(
        honest.every(({ confirmations, deals }, index) => confirmations[index] === ended[0] && !deals),
        text(),
      );
    }
    const isQuiet = Object.values(links).every(({ length }) => length === 0);
    if (isQuiet) assert.ok(ended.length === 0 || ended.length === honest.length, text());
    if (new Set(shown).size > 1) return;
    assert.ok(new Set(confirmed).size <= 1, text());
    assert.ok(confirmed.length === 0 || honest.every(({ deals }) => !deals), text());
    // With all votes there, nobody waits for an honest participant.
    if (!isQuiet || !honest.some(({ votes }) => votes.every((vote) => vote !== undefined))) return;
    assert.ok(confirmed.length === honest.length || honest.every(({ deals }) => deals), text());
  }

  /** The events of one honest participant: timeouts, crashes, and messages of the faulty one. */
  #own(state: State, index: number): State[] {
    const self = state.honest[index];
    if (self === undefined) return [];
    const faulty = this.#honest;
    const own = self.confirmations[index];
    const show = (value: Vote): State =>
      this.#receive({ ...state, shown: [...state.shown, value] }, index, faulty, {
        kind: 'vote',
        sender: faulty,
        value,
      });
    const isOpen = !self.deals && self.ended === undefined;
    return [
      ...(isOpen && self.votes[index] === undefined
        ? (['a', ...genesesIn(state)] as const).map((value) => this.#vote(state, index, value))
        : []),
      ...(isOpen && self.votes[faulty] === undefined ? (['a', ...genesesIn(state)] as const).map(show) : []),
      // Another confirmation, or one before this, would have the effect of none.
      ...(isOpen && own !== undefined && self.confirmations[faulty] === undefined
        ? [this.#receive(state, index, faulty, { kind: 'confirm', sender: faulty, value: own })]
        : []),
      ...(state.crashes > 0 ? [this.#restart(state, index)] : []),
    ];
  }

  /** Messages on their way and unsynced state are lost; then all send again. */
  #restart(state: State, index: number): State {
    const self = state.honest[index] ?? assert.fail();
    const own = <T>(values: readonly (T | undefined)[]) =>
      values.map((value, each) => (each === index ? value : undefined));
    const kept = { ...self, votes: own(self.votes), confirmations: own(self.confirmations) };
    const links = Object.fromEntries(
      Object.entries(state.links).filter(([link]) => !link.split(' ').includes(`${index}`)),
    );
    let next: State = { ...state, crashes: state.crashes - 1, links, honest: state.honest.with(index, kept) };
    for (const other of this.#everybody()) {
      if (other === index) continue;
      next = this.#resend(next, other, index);
      next = this.#resend(next, index, other);
    }
    return kept.votes[index] === undefined ? this.#vote(next, index, 'a') : next;
  }

  #resend(state: State, from: number, to: number): State {
    const { votes, confirmations, ended } = state.honest[from] ?? assert.fail();
    const messages: Message[] = [
      ...votes.flatMap((value, sender) =>
        value === undefined ? [] : { kind: 'vote' as const, sender, value },
      ),
      ...confirmations.flatMap((value, sender) =>
        value === undefined ? [] : { kind: 'confirm' as const, sender, value },
      ),
      ...(ended === undefined ? [] : [{ kind: 'end' as const, sender: from, value: ended }]),
    ];
    return messages.reduce((next, message) => send(next, from, to, message), state);
  }

  #receive(state: State, to: number, from: number, message: Message): State {
    const self = state.honest[to] ?? assert.fail();
    if (self.deals || self.ended !== undefined) return state;
    const { sender, value } = message;
    if (message.kind === 'end') return this.#end(state, to, message.value);
    const isVote = message.kind === 'vote';
    if ((isVote ? self.votes : self.confirmations)[sender] !== undefined) return state;
    const changed = isVote
      ? { ...self, votes: self.votes.with(sender, value) }
      : { ...self, confirmations: self.confirmations.with(sender, message.value) };
    let next: State = { ...state, honest: state.honest.with(to, changed) };
    for (const other of this.#everybody()) {
      if (other !== to && other !== from && other !== sender) next = send(next, to, other, message);
    }
    // A vote for a genesis holds all of its signatures.
    if (isVote && value !== 'a' && changed.votes[to] === undefined) return this.#vote(next, to, value);
    return this.#settle(next, to);
  }

  #vote(state: State, index: number, value: Vote): State {
    const self = state.honest[index] ?? assert.fail();
    const honest = state.honest.with(index, { ...self, votes: self.votes.with(index, value) });
    return this.#settle(this.#broadcast({ ...state, honest }, { kind: 'vote', sender: index, value }), index);
  }

  #settle(state: State, index: number): State {
    const self = state.honest[index] ?? assert.fail();
    const { outcome, confirmed, ended } = this.#rule(self, index);
    if (ended !== undefined) return this.#end(state, index, ended as Genesis);
    if (confirmed !== undefined || outcome === undefined) return state;
    if (outcome === 'abandoned')
      return { ...state, honest: state.honest.with(index, { ...self, deals: true }) };
    const value = outcome.genesis as Genesis;
    const confirmations = self.confirmations.with(index, value);
    const honest = state.honest.with(index, { ...self, confirmations });
    const next = this.#broadcast({ ...state, honest }, { kind: 'confirm', sender: index, value });
    return this.#settle(next, index);
  }

  #end(state: State, index: number, value: Genesis): State {
    const self = state.honest[index] ?? assert.fail();
    const honest = state.honest.with(index, { ...self, ended: value });
    return this.#broadcast({ ...state, honest }, { kind: 'end', sender: index, value });
  }

  #broadcast(state: State, message: Message): State {
    return this.#everybody()
      .filter((to) => to !== message.sender)
      .reduce((next, to) => send(next, message.sender, to, message), state);
  }

  #rule({ votes, confirmations }: Participant, index: number): EndRule {
    const rule = new EndRule(this.#size, index);
    for (const [sender, value] of votes.entries()) if (value !== undefined) rule.vote(sender, voteOf(value));
    for (const [sender, value] of confirmations.entries()) {
      if (value !== undefined) rule.confirm(sender, value);
    }
    return rule;
  }

  #everybody(): number[] {
    return Array.from({ length: this.#honest }, (_, index) => index);
  }
}

/** Sends a message that changes something for its recipient. */
function send(state: State, from: number, to: number, message: Message): State {
  const { votes, confirmations, ended } = state.honest[to] ?? assert.fail();
  const known = { vote: votes[message.sender], confirm: confirmations[message.sender], end: ended };
  if (known[message.kind] !== undefined) return state;
  const link = `${to} ${from}`;
  return { ...state, links: { ...state.links, [link]: [...(state.links[link] ?? []), message] } };
}

/** The geneses that may occur next: `y` comes second. */
function genesesIn({ honest, shown }: State): readonly Genesis[] {
  const used = [...shown, ...honest.flatMap(({ votes, confirmations }) => [...votes, ...confirmations])];
  return used.includes('x') ? GENESES : ['x'];
}

function voteOf(value: Vote): EndVote {
  return value === 'a' ? 'abandoned' : { genesis: value };
}

/** Visits every reachable state. @returns their number, and the number of those in which all have ended */
function explore(model: Model): { readonly states: number; readonly ends: number } {
  const start = model.start();
  const seen = new Set([keyOf(start)]);
  const open = [start];
  let ends = 0;
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    model.check(state);
    if (state.honest.every(({ ended }) => ended !== undefined)) {
      ends++;
      continue;
    }
    for (const next of model.next(state)) {
      const key = keyOf(next);
      if (!seen.has(key)) {
        seen.add(key);
        open.push(next);
      }
    }
  }
  return { states: seen.size, ends };
}

function keyOf({ honest, links, crashes, shown }: State): string {
  const full = Object.entries(links)
    .filter(([, messages]) => messages.length > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([honest, full, crashes, [...new Set(shown)].sort()]);
}

for (const [honest, crashes] of [
  [2, 0],
  [2, 1],
] as const) {
  test(`${honest} of ${honest + 1} participants end alike in every order of events with ${crashes} crashes`, () => {
    const { states, ends } = explore(new Model(honest, crashes));
    assert.ok(states > 1_000 && ends > 0, `${states} states, ${ends} ends`);
  });
}
