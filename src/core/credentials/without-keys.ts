/**
 * A text of a provider without the keys that were sent to it, and without anything that looks like a key: a provider
 * quotes the key that it refuses.
 */
export function withoutKeys(text: string, keys: readonly string[]): string {
  const sent = keys.filter((key) => key.length >= shortestKey);
  return sent.reduce((masked, key) => masked.replaceAll(key, "•••"), text).replaceAll(likeKeys, "•••");
}

/** A shorter text is too common to be searched for. */
const shortestKey = 8;

/** The beginnings of well-known keys, and long texts without a blank that are not words. */
const likeKeys =
  /\b(?:sk|pk|rk|gsk|xai|pplx|tgp|hf|key|AIza)[-_][\w*.-]{6,}|\bBearer\s+\S+|\b(?=\w*\d)(?=\w*[A-Za-z])\w{32,}\b/g;
