/** Random numbers from a step's seed (xoshiro128**), so that the same step run again draws the same ones. */
export type Random = {
  /** The next number in [0, 1). */
  next(): number;
  /** `length` letters and digits, the first a letter. */
  text(length: number): string;
  /** How many numbers were drawn, to go on from there after an effect. */
  readonly drawn: () => number;
};

const letters = "abcdefghijklmnopqrstuvwxyz";
const lettersAndDigits = `${letters}0123456789`;

/** `seed` is 32 hexadecimal digits; the first `alreadyDrawn` numbers are skipped. */
export function createRandom(seed: string, alreadyDrawn = 0): Random {
  let a = Number.parseInt(seed.slice(0, 8), 16) | 0;
  let b = Number.parseInt(seed.slice(8, 16), 16) | 0;
  let c = Number.parseInt(seed.slice(16, 24), 16) | 0;
  let d = Number.parseInt(seed.slice(24, 32), 16) | 1;
  let count = 0;

  const next = (): number => {
    count++;
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11);
    return result / 4_294_967_296;
  };
  const letter = (alphabet: string): string => alphabet.charAt(Math.floor(next() * alphabet.length));

  for (let draw = 0; draw < alreadyDrawn; draw++) next();
  return {
    next,
    text: (length) => letter(letters) + Array.from({ length: length - 1 }, () => letter(lettersAndDigits)).join(""),
    drawn: () => count,
  };
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
