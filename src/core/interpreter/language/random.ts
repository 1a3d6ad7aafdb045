/** Random numbers generated from a step's seed (xoshiro128**). If the step runs again, the same numbers are drawn. */
export type Random = {
  /** Returns the next number in [0, 1). */
  next(): number;
  /** Returns `length` letters and digits. The first character is a letter. */
  text(length: number): string;
  /** Returns how many numbers have been drawn, so that the sequence can continue after an effect. */
  drawn(): number;
};

const letters = "abcdefghijklmnopqrstuvwxyz";
const lettersAndDigits = `${letters}0123456789`;

/**
 * Creates the random numbers of a step. `seed` has 32 hexadecimal digits. The first `alreadyDrawn` numbers are skipped.
 */
export function createRandom(seed: string, alreadyDrawn = 0): Random {
  return new SeededRandom(seed, alreadyDrawn);
}

/** The seed is parsed when the first number is drawn, because most steps draw no numbers. */
class SeededRandom implements Random {
  private readonly seed: string;
  private count: number;
  private state: State | undefined;

  constructor(seed: string, alreadyDrawn: number) {
    this.seed = seed;
    this.count = alreadyDrawn;
  }

  next(): number {
    this.state ??= this.begin();
    this.count++;
    return draw(this.state);
  }

  text(length: number): string {
    return this.letter(letters) + Array.from({ length: length - 1 }, () => this.letter(lettersAndDigits)).join("");
  }

  drawn(): number {
    return this.count;
  }

  private begin(): State {
    const part = (index: number): number => Number.parseInt(this.seed.slice(8 * index, 8 * (index + 1)), 16);
    const state = { a: part(0), b: part(1), c: part(2), d: part(3) | 1 };
    for (let drawn = 0; drawn < this.count; drawn++) draw(state);
    return state;
  }

  private letter(alphabet: string): string {
    return alphabet.charAt(Math.floor(this.next() * alphabet.length));
  }
}

/** The generator's state as 32-bit integers. */
type State = { a: number; b: number; c: number; d: number };

function draw(state: State): number {
  const { a, b, c, d } = state;
  const mixed = c ^ a;
  const other = d ^ b;
  state.a = a ^ other;
  state.b = b ^ mixed;
  state.c = mixed ^ (b << 9);
  state.d = rotate(other, 11);
  return (Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0) / 4_294_967_296;
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
