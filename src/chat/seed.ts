/** 128 bits of secure randomness as 32 hexadecimal digits: the chance that a step is given. */
export function newSeed(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex");
}
