const letters = "0123456789abcdefghjkmnpqrstvwxyz";

/** An id for an entry of a list, unique within its flow: 100 bits of chance. */
export function newEntryId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => letters.charAt(byte & 31)).join("");
}
