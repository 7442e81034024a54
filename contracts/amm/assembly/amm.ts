import {
  Address,
  blockTimestampMs,
  Cell,
  caller,
  Lock,
  Mapping,
  minU128,
  mulDiv,
  self,
  sqrtOfProduct,
  U128,
} from "heddle";
import { AmmInterface, Amounts, Deposit, emit, fail, Tokens } from "../generated/amm";
import { TokenClient } from "../generated/token-client";

/** Parts per 1000 of the input that are traded; the rest is the fee. */
const TRADED_PARTS: u64 = 997;
const ALL_PARTS: u64 = 1000;

/** Shares that no account owns. They make it expensive to inflate the price of one share. */
const LOCKED_SHARES: u64 = 1000;

/** High limb of the reserve limit, 2^112, below which no product overflows. */
const RESERVE_HIGH_LIMIT: u64 = 1 << 48;

/** Implements amm.idl. State is written before tokens are called, and a lock prevents reentrancy. */
export class Amm extends AmmInterface {
  private readonly tokenA: Cell<Address> = new Cell<Address>(0);
  private readonly tokenB: Cell<Address> = new Cell<Address>(1);
  private readonly reserveA: Cell<U128> = new Cell<U128>(2);
  private readonly reserveB: Cell<U128> = new Cell<U128>(3);
  private readonly totalShares: Cell<U128> = new Cell<U128>(4);
  private readonly shares: Mapping<Address, U128> = new Mapping<Address, U128>(5);
  private readonly lock: Lock = new Lock(6);

  init(tokenA: Address, tokenB: Address): void {
    const pool = self();
    if (tokenA.isZero || tokenB.isZero || tokenA == tokenB || tokenA == pool || tokenB == pool) {
      fail.InvalidTokens(tokenA, tokenB);
    }
    this.tokenA.set(tokenA);
    this.tokenB.set(tokenB);
  }

  add_liquidity(amountA: U128, amountB: U128, minA: U128, minB: U128, to: Address, deadlineMs: u64): Deposit {
    expectInTime(deadlineMs);
    expectRecipient(to);
    this.lock.acquire();
    const reserveA = this.reserveA.get();
    const reserveB = this.reserveB.get();
    const total = this.totalShares.get();
    let a = amountA;
    let b = amountB;
    let minted: U128;
    if (total.isZero) {
      const locked = new U128(LOCKED_SHARES);
      const all = sqrtOfProduct(a, b);
      if (all <= locked) fail.InsufficientLiquidity(all, locked + new U128(1));
      minted = all - locked;
      this.totalShares.set(all);
    } else {
      const fittingB = mulDiv(a, reserveB, reserveA);
      if (fittingB <= b) b = fittingB;
      else a = mulDiv(b, reserveA, reserveB);
      minted = minU128(mulDiv(a, total, reserveA), mulDiv(b, total, reserveB));
      if (minted.isZero) fail.NothingToDo();
      this.totalShares.set(total + minted);
    }
    if (a < minA) fail.Slippage(a, minA);
    if (b < minB) fail.Slippage(b, minB);
    const newA = reserveA + a;
    const newB = reserveB + b;
    const provider = caller();
    this.setReserves(newA, newB);
    this.shares.set(to, this.shares.get(to) + minted);
    emit.LiquidityAdded(provider, to, a, b, minted);

    this.takeIn(this.tokenA.get(), provider, a, newA);
    this.takeIn(this.tokenB.get(), provider, b, newB);
    this.lock.release();
    return new Deposit(a, b, minted);
  }

  remove_liquidity(shares: U128, minA: U128, minB: U128, to: Address, deadlineMs: u64): Amounts {
    expectInTime(deadlineMs);
    expectRecipient(to);
    if (shares.isZero) fail.NothingToDo();
    this.lock.acquire();
    const provider = caller();
    this.takeShares(provider, shares);
    const total = this.totalShares.get();
    const reserveA = this.reserveA.get();
    const reserveB = this.reserveB.get();
    const a = mulDiv(shares, reserveA, total);
    const b = mulDiv(shares, reserveB, total);
    if (a.isZero || b.isZero) fail.NothingToDo();
    if (a < minA) fail.Slippage(a, minA);
    if (b < minB) fail.Slippage(b, minB);
    this.totalShares.set(total - shares);
    const newA = reserveA - a;
    const newB = reserveB - b;
    this.setReserves(newA, newB);
    emit.LiquidityRemoved(provider, to, a, b, shares);

    this.payOut(this.tokenA.get(), to, a, newA);
    this.payOut(this.tokenB.get(), to, b, newB);
    this.lock.release();
    return new Amounts(a, b);
  }

  swap(tokenIn: Address, amountIn: U128, minOut: U128, to: Address, deadlineMs: u64): U128 {
    expectInTime(deadlineMs);
    expectRecipient(to);
    this.lock.acquire();
    const isA = this.isTokenA(tokenIn);
    const tokenOut = isA ? this.tokenB.get() : this.tokenA.get();
    const reserveA = this.reserveA.get();
    const reserveB = this.reserveB.get();
    const reserveIn = isA ? reserveA : reserveB;
    const reserveOut = isA ? reserveB : reserveA;
    const amountOut = outOf(amountIn, reserveIn, reserveOut);
    if (amountOut < minOut) fail.Slippage(amountOut, minOut);
    if (amountOut.isZero) fail.NothingToDo();
    const newIn = reserveIn + amountIn;
    const newOut = reserveOut - amountOut;
    this.setReserves(isA ? newIn : newOut, isA ? newOut : newIn);
    const trader = caller();
    emit.Swapped(trader, to, tokenIn, amountIn, amountOut);

    this.takeIn(tokenIn, trader, amountIn, newIn);
    this.payOut(tokenOut, to, amountOut, newOut);
    this.lock.release();
    return amountOut;
  }

  transfer_shares(to: Address, amount: U128): void {
    expectRecipient(to);
    const owner = caller();
    this.takeShares(owner, amount);
    this.shares.set(to, this.shares.get(to) + amount);
    emit.SharesTransferred(owner, to, amount);
  }

  tokens(): Tokens {
    return new Tokens(this.tokenA.get(), this.tokenB.get());
  }

  reserves(): Amounts {
    return new Amounts(this.reserveA.get(), this.reserveB.get());
  }

  quote(tokenIn: Address, amountIn: U128): U128 {
    const isA = this.isTokenA(tokenIn);
    const reserveA = this.reserveA.get();
    const reserveB = this.reserveB.get();
    return outOf(amountIn, isA ? reserveA : reserveB, isA ? reserveB : reserveA);
  }

  shares_of(owner: Address): U128 {
    return this.shares.get(owner);
  }

  total_shares(): U128 {
    return this.totalShares.get();
  }

  private isTokenA(token: Address): bool {
    if (token == this.tokenA.get()) return true;
    if (token != this.tokenB.get()) fail.UnknownToken(token);
    return false;
  }

  private takeShares(owner: Address, amount: U128): void {
    const owned = this.shares.get(owner);
    if (owned < amount) fail.InsufficientShares(owned, amount);
    this.shares.set(owner, owned - amount);
  }

  private setReserves(a: U128, b: U128): void {
    if (a.high >= RESERVE_HIGH_LIMIT) fail.ReserveLimit(this.tokenA.get(), a);
    if (b.high >= RESERVE_HIGH_LIMIT) fail.ReserveLimit(this.tokenB.get(), b);
    this.reserveA.set(a);
    this.reserveB.set(b);
  }

  private takeIn(token: Address, from: Address, amount: U128, reserve: U128): void {
    new TokenClient(token).transfer_from(from, self(), amount);
    expectCovered(token, reserve);
  }

  private payOut(token: Address, to: Address, amount: U128, reserve: U128): void {
    new TokenClient(token).transfer(to, amount);
    expectCovered(token, reserve);
  }
}

/** Output amount that keeps the product of the reserves, fee excluded, from falling. */
function outOf(amountIn: U128, reserveIn: U128, reserveOut: U128): U128 {
  if (amountIn.isZero) fail.NothingToDo();
  if (reserveIn.isZero || reserveOut.isZero) fail.InsufficientLiquidity(U128.zero(), new U128(1));
  const traded = amountIn * new U128(TRADED_PARTS);
  return mulDiv(traded, reserveOut, reserveIn * new U128(ALL_PARTS) + traded);
}

function expectCovered(token: Address, reserve: U128): void {
  const balance = new TokenClient(token).balance_of(self());
  if (balance < reserve) fail.TokenMisbehaved(token, balance, reserve);
}

function expectInTime(deadlineMs: u64): void {
  const now = blockTimestampMs();
  if (now > deadlineMs) fail.DeadlinePassed(deadlineMs, now);
}

function expectRecipient(to: Address): void {
  if (to.isZero || to == self()) fail.InvalidRecipient(to);
}
