/** Fractional parts of the cube roots of the first 64 primes (FIPS 180-4, section 4.2.2). */
const ROUND_CONSTANTS = memory.data<u32>([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]);

/** SHA-256 (FIPS 180-4) of 32-byte messages: one block. */
@unmanaged
@final
export class Sha256 {
  private readonly schedule: usize;

  constructor() {
    this.schedule = heap.alloc(64 * 4);
  }

  /** Replaces the 32 bytes at `at` with their hash. */
  hash32(at: usize): void {
    const w = this.schedule;
    for (let i: usize = 0; i < 32; i += 4) store<u32>(w + i, bswap<u32>(load<u32>(at + i)));
    // The padding: a one bit, zeros, and the length in bits.
    store<u32>(w, 0x80000000, 32);
    store<u64>(w, 0, 36);
    store<u64>(w, 0, 44);
    store<u64>(w, 0, 52);
    store<u32>(w, 256, 60);
    for (let p = w + 64; p < w + 256; p += 4) {
      const a = load<u32>(p - 60);
      const b = load<u32>(p - 8);
      const s0 = rotr<u32>(a, 7) ^ rotr<u32>(a, 18) ^ (a >> 3);
      const s1 = rotr<u32>(b, 17) ^ rotr<u32>(b, 19) ^ (b >> 10);
      store<u32>(p, load<u32>(p - 64) + s0 + load<u32>(p - 28) + s1);
    }
    let a: u32 = 0x6a09e667;
    let b: u32 = 0xbb67ae85;
    let c: u32 = 0x3c6ef372;
    let d: u32 = 0xa54ff53a;
    let e: u32 = 0x510e527f;
    let f: u32 = 0x9b05688c;
    let g: u32 = 0x1f83d9ab;
    let h: u32 = 0x5be0cd19;
    for (let i: usize = 0; i < 256; i += 4) {
      const s1 = rotr<u32>(e, 6) ^ rotr<u32>(e, 11) ^ rotr<u32>(e, 25);
      const choice = (e & f) ^ (~e & g);
      const t1 = h + s1 + choice + load<u32>(ROUND_CONSTANTS + i) + load<u32>(w + i);
      const s0 = rotr<u32>(a, 2) ^ rotr<u32>(a, 13) ^ rotr<u32>(a, 22);
      const majority = (a & b) ^ (a & c) ^ (b & c);
      h = g;
      g = f;
      f = e;
      e = d + t1;
      d = c;
      c = b;
      b = a;
      a = t1 + s0 + majority;
    }
    store<u32>(at, bswap<u32>(a + 0x6a09e667));
    store<u32>(at, bswap<u32>(b + 0xbb67ae85), 4);
    store<u32>(at, bswap<u32>(c + 0x3c6ef372), 8);
    store<u32>(at, bswap<u32>(d + 0xa54ff53a), 12);
    store<u32>(at, bswap<u32>(e + 0x510e527f), 16);
    store<u32>(at, bswap<u32>(f + 0x9b05688c), 20);
    store<u32>(at, bswap<u32>(g + 0x1f83d9ab), 24);
    store<u32>(at, bswap<u32>(h + 0x5be0cd19), 28);
  }
}
