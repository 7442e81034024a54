/**
 * An account or contract: 20 bytes. Where it comes from input, storage or a result, it is a view of those bytes, not a
 * copy. Never changed once made.
 */
@unmanaged
@final
export class Address {
  private a: u64 = 0;
  private b: u64 = 0;
  private c: u32 = 0;

  /** Twenty zero bytes: nobody's address. */
  static zero(): Address {
    return new Address();
  }

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

  /** Order of the bytes, first byte first, as when they are compared as hex digits. */
  @operator("<")
  precedes(other: Address): bool {
    if (this.a != other.a) return bswap<u64>(this.a) < bswap<u64>(other.a);
    if (this.b != other.b) return bswap<u64>(this.b) < bswap<u64>(other.b);
    return bswap<u32>(this.c) < bswap<u32>(other.c);
  }
}
