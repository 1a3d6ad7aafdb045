const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const hexDigits = "0123456789abcdef";
const digitOf = new Map([...alphabet].map((letter, digit) => [letter, digit]));
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
  const id = fromUuid(Buffer.from(bytes).toString("hex"));
  return shard === undefined ? id : id.slice(0, 24) + alphabet.charAt(shard >> 5) + alphabet.charAt(shard & 31);
}

/** Whether the text has the form of our ids; anything else cannot name an object of ours. */
export function isId(text: string): boolean {
  return idPattern.test(text);
}

/** The id as the database's uuid. Expects `isId(id)`. */
export function toUuid(id: string): string {
  // The first letter stands for three bits, every other for five.
  let uuid = "";
  let bits = 0;
  let held = 0;
  for (let index = 0; index < 26; index++) {
    bits = ((bits << 5) | (digitOf.get(id.charAt(index)) ?? 0)) & 0xff;
    held += index === 0 ? 3 : 5;
    while (held >= 4) {
      held -= 4;
      uuid += hexDigits.charAt((bits >> held) & 15);
      if (uuid.length === 8 || uuid.length === 13 || uuid.length === 18 || uuid.length === 23) uuid += "-";
    }
  }
  return uuid;
}

/** The database's uuid as an id. */
export function fromUuid(uuid: string): string {
  let id = "";
  let bits = 0;
  // As if two bits of padding came first.
  let held = 2;
  for (const digit of uuid) {
    if (digit === "-") continue;
    bits = ((bits << 4) | Number.parseInt(digit, 16)) & 0xff;
    held += 4;
    while (held >= 5) {
      held -= 5;
      id += alphabet.charAt((bits >> held) & 31);
    }
  }
  return id;
}

/** The shard (0–1023) of a session or result, known from either's id. */
export function shardOf(id: string): number {
  return (digitOf.get(id.charAt(24)) ?? 0) * 32 + (digitOf.get(id.charAt(25)) ?? 0);
}
