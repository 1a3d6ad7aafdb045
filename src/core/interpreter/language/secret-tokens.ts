import { createRandom } from "./random.ts";

export const secretNamePattern = "^[A-Z][A-Z0-9_]{0,63}$";

export const tokenPrefix = "parley_secret_";

/** Returns the name of the secret that `{{secret.NAME}}` refers to, or undefined for any other reference. */
export function secretIn(reference: string): string | undefined {
  const [, name] = /^secret\.([A-Z][A-Z0-9_]{0,63})$/.exec(reference) ?? [];
  return name;
}

/**
 * Returns the token number of a step: 32 hexadecimal digits derived from its seed. A visitor's text is never mistaken
 * for a token, because other texts of the step contain this number only if the flow inserted it.
 */
export function secretNumber(seed: string): string {
  const random = createRandom([...seed].reverse().join(""));
  return Array.from({ length: 4 }, () =>
    Math.floor(random.next() * 2 ** 32)
      .toString(16)
      .padStart(8, "0"),
  ).join("");
}

/**
 * Returns the token that replaces a secret until the request is sent. It consists of letters, digits and underscores,
 * so it is a valid identifier in scripts and no encoding changes it. It contains the length of the secret's name,
 * because any text may follow.
 */
export function secretToken(number: string, name: string): string {
  return `${tokenPrefix}${number}_${name.length}_${name}`;
}

/** Replaces each token that contains the given number. Without a number, all tokens are replaced. */
export function replaceTokens(text: string, replacement: (name: string) => string, number?: string): string {
  if (!text.includes(tokenPrefix)) return text;
  let replaced = "";
  let from = 0;
  for (const token of text.matchAll(/parley_secret_([0-9a-f]{32})_(\d{1,2})_/g)) {
    const [head, ofStep, length] = token;
    const nameStart = token.index + head.length;
    const name = text.slice(nameStart, nameStart + Number(length));
    if (token.index < from || (number !== undefined && ofStep !== number)) continue;
    if (name.length !== Number(length) || secretIn(`secret.${name}`) === undefined) continue;
    replaced += text.slice(from, token.index) + replacement(name);
    from = nameStart + name.length;
  }
  return replaced + text.slice(from);
}

/** Replaces tokens with the names of their secrets, for logs. */
export function withSecretNames(text: string): string {
  return replaceTokens(text, (name) => `{{secret.${name}}}`);
}
