const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const digitOf = new Map([...alphabet].map((letter, digit) => [letter, BigInt(digit)]));
const idPattern = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Number of shards that the large tables are spread over: the last two letters of a session's or result's id. */
export const shardCount = 1024;

/**
 * A new id: 26 lower-case letters and digits without hyphens, for 128 bits: 48 of milliseconds since the epoch, so that
 * ids sort by time, and 80 from the system's secure randomness, so that they cannot be guessed.
 * With `shard` the last 10 bits are that shard's: a session takes its result's.
 */
export function newId(shard?: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  let time = Date.now();
  for (let index = 5; index >= 0; index--) {
    bytes[index] = time % 256;
    time = Math.floor(time / 256);
  }
  const id = encode(BigInt(`0x${Buffer.from(bytes).toString("hex")}`));
  return shard === undefined ? id : id.slice(0, 24) + encode(BigInt(shard)).slice(24);
}

/** Whether the text has the form of our ids; anything else cannot name an object of ours. */
export function isId(text: string): boolean {
  return idPattern.test(text);
}

/** The id as the database's uuid. Expects `isId(id)`. */
export function toUuid(id: string): string {
  let bits = 0n;
  for (const letter of id) bits = (bits << 5n) | (digitOf.get(letter) ?? 0n);
  const hex = bits.toString(16).padStart(32, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The database's uuid as an id. */
export function fromUuid(uuid: string): string {
  return encode(BigInt(`0x${uuid.replaceAll("-", "")}`));
}

/** The shard (0–1023) of a session or result, known from either's id. */
export function shardOf(id: string): number {
  return Number((digitOf.get(id.charAt(24)) ?? 0n) * 32n + (digitOf.get(id.charAt(25)) ?? 0n));
}

function encode(bits: bigint): string {
  let rest = bits;
  let text = "";
  for (let index = 0; index < 26; index++) {
    text = alphabet.charAt(Number(rest & 31n)) + text;
    rest >>= 5n;
  }
  return text;
}
