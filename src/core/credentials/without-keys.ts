/**
 * Replaces keys in a provider's text with `•••`: the given keys unless they are short, and any text that looks like a
 * key. Providers may quote a key that they reject.
 */
export function withoutKeys(text: string, keys: readonly string[]): string {
  const sent = keys.filter((key) => key.length >= shortestKey);
  return sent.reduce((masked, key) => masked.replaceAll(key, "•••"), text).replaceAll(likeKeys, "•••");
}

/** The minimum length of a key that is searched for. Shorter keys are too common as parts of ordinary text. */
const shortestKey = 8;

/** Matches keys with well-known prefixes, bearer tokens, and long words that contain both letters and digits. */
const likeKeys =
  /\b(?:sk|pk|rk|gsk|xai|pplx|tgp|hf|key|AIza)[-_][\w*.-]{6,}|\bBearer\s+\S+|\b(?=\w*\d)(?=\w*[A-Za-z])\w{32,}\b/g;
