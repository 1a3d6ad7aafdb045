const letters = "0123456789abcdefghjkmnpqrstvwxyz";

/** Returns a random id of 100 bits for a list entry, which is unique within its flow. */
export function newEntryId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => letters.charAt(byte & 31)).join("");
}
