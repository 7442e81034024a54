/** 32 bytes: `hash` and `bytes32` of the IDL. An immutable view, like `Address`. */
@unmanaged
@final
export class Hash {
  private a: u64 = 0;
  private b: u64 = 0;
  private c: u64 = 0;
  private d: u64 = 0;

  /** 32 zero bytes. */
  static zero(): Hash {
    return new Hash();
  }

  /** Whether all bytes are zero. */
  get isZero(): bool {
    return (this.a | this.b | this.c | this.d) == 0;
  }

  @operator("==")
  equals(other: Hash): bool {
    return ((this.a ^ other.a) | (this.b ^ other.b) | (this.c ^ other.c) | (this.d ^ other.d)) == 0;
  }

  @operator("!=")
  differs(other: Hash): bool {
    return !this.equals(other);
  }
}
