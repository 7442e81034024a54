/**
 * The address of an account or contract: 20 bytes. Immutable. Values from input, storage or a result are views of those
 * bytes, not copies.
 */
@unmanaged
@final
export class Address {
  private a: u64 = 0;
  private b: u64 = 0;
  private c: u32 = 0;

  /** The zero address, which belongs to no account. */
  static zero(): Address {
    return new Address();
  }

  /** Whether it is the zero address. */
  get isZero(): bool {
    return (this.a | this.b | this.c) == 0;
  }

  @operator("==")
  equals(other: Address): bool {
    return ((this.a ^ other.a) | (this.b ^ other.b) | (this.c ^ other.c)) == 0;
  }

  @operator("!=")
  differs(other: Address): bool {
    return !this.equals(other);
  }

  /** Compares byte by byte from the first, in the same order as the hex digits. */
  @operator("<")
  precedes(other: Address): bool {
    if (this.a != other.a) return bswap<u64>(this.a) < bswap<u64>(other.a);
    if (this.b != other.b) return bswap<u64>(this.b) < bswap<u64>(other.b);
    return bswap<u32>(this.c) < bswap<u32>(other.c);
  }
}
