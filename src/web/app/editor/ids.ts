const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * Returns a new id in the format of the service. An id has 26 letters and digits: 48 bits of time and 80 random bits,
 * so that ids sort by time.
 */
export function newId(): string {
  let time = Date.now();
  let letters = "";
  for (let count = 0; count < 10; count++) {
    letters = alphabet.charAt(time % 32) + letters;
    time = Math.floor(time / 32);
  }
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) letters += alphabet.charAt(byte & 31);
  return letters;
}
