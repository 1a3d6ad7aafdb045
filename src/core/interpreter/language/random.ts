/** Random numbers from a step's seed (xoshiro128**), so that the same step run again draws the same ones. */
export type Random = {
  /** The next number in [0, 1). */
  next(): number;
  /** `length` letters and digits, the first a letter. */
  text(length: number): string;
  /** How many numbers were drawn, to go on from there after an effect. */
  drawn(): number;
};

const letters = "abcdefghijklmnopqrstuvwxyz";
const lettersAndDigits = `${letters}0123456789`;

/** `seed` is 32 hexadecimal digits; the first `alreadyDrawn` numbers are skipped. */
export function createRandom(seed: string, alreadyDrawn = 0): Random {
  return new SeededRandom(seed, alreadyDrawn);
}

/** Reads its seed when the first number is drawn: most steps draw none. */
class SeededRandom implements Random {
  private readonly seed: string;
  private readonly alreadyDrawn: number;
  private count = 0;
  private isBegun = false;
  private a = 0;
  private b = 0;
  private c = 0;
  private d = 0;

  constructor(seed: string, alreadyDrawn: number) {
    this.seed = seed;
    this.alreadyDrawn = alreadyDrawn;
  }

  next(): number {
    if (!this.isBegun) this.begin();
    this.count++;
    const { a, b, c, d } = this;
    const thirdMixed = c ^ a;
    const fourthMixed = d ^ b;
    this.b = b ^ thirdMixed;
    this.a = a ^ fourthMixed;
    this.c = thirdMixed ^ (b << 9);
    this.d = rotate(fourthMixed, 11);
    return (Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0) / 4_294_967_296;
  }

  text(length: number): string {
    return this.letter(letters) + Array.from({ length: length - 1 }, () => this.letter(lettersAndDigits)).join("");
  }

  drawn(): number {
    return this.isBegun ? this.count : this.alreadyDrawn;
  }

  private begin(): void {
    this.isBegun = true;
    this.a = Number.parseInt(this.seed.slice(0, 8), 16) | 0;
    this.b = Number.parseInt(this.seed.slice(8, 16), 16) | 0;
    this.c = Number.parseInt(this.seed.slice(16, 24), 16) | 0;
    this.d = Number.parseInt(this.seed.slice(24, 32), 16) | 1;
    for (let draw = 0; draw < this.alreadyDrawn; draw++) this.next();
  }

  private letter(alphabet: string): string {
    return alphabet.charAt(Math.floor(this.next() * alphabet.length));
  }
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
