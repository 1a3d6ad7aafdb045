/**
 * The replacements of values that differ between runs. Ids and keys are replaced by their order of appearance, times
 * and nonces by a fixed word.
 */
export type Names = {
  /** Assigns a name to a text, such as a public id. */
  learn(text: string, name: string): void;
  replace(text: string): string;
};

const id = /\b[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
/** Matches keys of calls to other servers, which identify repeated calls. */
const key = /\b[0-9a-f]{32}\b/g;
/** Matches the remaining time of a call, which depends on the elapsed milliseconds. */
const timeLeft = /"timeoutMs":\d+\.\d+/g;
/** Matches the nonce of a page's scripts and styles. */
const nonce = /\bnonce="[^"]+"/g;
/** Matches the content hash in the URL of a page's script or style sheet. */
const assetHash = /(\/assets\/[\w/]+)-[0-9a-z]{8}(?=\.(?:js|css))/g;
const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)/g;

export function createNames(): Names {
  const learnt = new Map<string, string>();
  const found = new Map<string, string>();
  const nameOf = (kind: string) => (text: string) => {
    const known = found.get(text);
    if (known !== undefined) return known;
    const name = `${kind}-${found.size + 1}`;
    found.set(text, name);
    return name;
  };
  return {
    learn: (text, name) => void learnt.set(text, name),
    replace(text) {
      let replaced = text;
      for (const [known, name] of learnt) replaced = replaced.replaceAll(known, name);
      return replaced
        .replace(id, nameOf("id"))
        .replace(uuid, nameOf("uuid"))
        .replace(key, nameOf("key"))
        .replace(timeLeft, (left) => `"timeoutMs":${Math.ceil(Number(left.split(":")[1]) / 1_000) * 1_000}`)
        .replace(assetHash, "$1")
        .replace(nonce, 'nonce="nonce"')
        .replace(time, "time");
    },
  };
}
