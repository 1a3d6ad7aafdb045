/** The request that a curl command sends. */
export type CurlRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly Pair[];
  readonly queryParams: readonly Pair[];
  readonly body?: string;
};

type Pair = { readonly key: string; readonly value: string };

/**
 * The reason why a curl command cannot be converted: it contains no URL, or it has a flag for forms or uploads, which
 * may need files that the page cannot read.
 */
export type CurlRefusal = "noAddress" | "files";

/** Whether a text begins with a curl command. */
export function isCurl(text: string): boolean {
  return /^\s*(?:\$\s+)?curl(?:\.exe)?\s/.test(text);
}

/**
 * Parses a curl command in the form that documentation and browser tools use. Unsupported flags are ignored. Returns
 * the reason if the command cannot be converted.
 */
export function readCurl(text: string): CurlRequest | CurlRefusal {
  const words = shellWords(text.replace(/^\s*\$\s+/, "")).slice(1);
  const found: Found = { headers: [], data: [], bare: [], isGet: false };
  for (let at = 0; at < words.length; at++) {
    const { name, value } = flagOf(words[at] ?? "");
    const take = name === undefined || !Object.hasOwn(takers, name) ? undefined : takers[name];
    if (name === undefined) found.bare.push(value ?? "");
    else if (take) take(found, value ?? words[++at] ?? "");
    else if (name === "get") found.isGet = true;
    else if (name === "head") found.isHead = true;
  }
  if (found.hasFiles) return "files";
  const url = found.url ?? addressAmong(found.bare);
  return url === undefined ? "noAddress" : requestOf(found, url);
}

/**
 * Returns the most likely URL among the words without a flag, or undefined if there are none. The other words may be
 * the values of unknown flags.
 */
function addressAmong(words: readonly string[]): string | undefined {
  return words.find((word) => word.includes("://")) ?? words.find((word) => word.includes("{{")) ?? words[0];
}

type Found = {
  method?: string;
  url?: string | undefined;
  readonly headers: Pair[];
  readonly data: string[];
  /** The words that are neither a flag nor the value of a known flag. */
  readonly bare: string[];
  isGet: boolean;
  isHead?: boolean;
  hasFiles?: boolean;
};

function requestOf({ method, headers, data, isGet, isHead }: Found, url: string): CurlRequest {
  const all = [...headers];
  const body = data.length === 0 || isGet ? undefined : data.join("&");
  const isTyped = all.some(({ key }) => key.toLowerCase() === "content-type");
  if (body !== undefined && !isTyped) all.push({ key: "Content-Type", value: "application/x-www-form-urlencoded" });
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(url) || url.startsWith("{{") ? url : `http://${url}`;
  const [base = "", query] = splitAt(address.replace(/#.*$/s, ""), "?");
  const queries = [...(query ? [query] : []), ...(isGet ? data : [])].join("&");
  const queryParams = pairsOf(queries);
  return {
    method: method ?? (isHead ? "HEAD" : body === undefined ? "GET" : "POST"),
    // The list of parameters cannot contain a parameter without a name or a value. If there is one, all parameters stay
    // in the URL.
    url: queryParams || queries === "" ? base : `${base}?${queries}`,
    headers: all,
    queryParams: queryParams ?? [],
    ...(body !== undefined && { body }),
  };
}

function pairsOf(query: string): readonly Pair[] | undefined {
  const parts = query.split("&").filter((part) => part !== "");
  const pairs = parts.map((part) => {
    const [key = "", value = ""] = splitAt(part, "=").map(decoded);
    return { key, value };
  });
  return pairs.every(({ key, value }) => key !== "" && value !== "") ? pairs : undefined;
}

function decoded(text: string): string {
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

function splitAt(text: string, mark: string): readonly string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

type Taker = (found: Found, value: string) => void;

const header: Taker = ({ headers }, line) => {
  const [key = "", value] = splitAt(line, ":");
  // Skips a header without a value: in curl, `Name;` sends an empty value, and `Name:` removes the header.
  if (value?.trim()) headers.push({ key: key.trim(), value: value.trim() });
};
const headerOf =
  (key: string): Taker =>
  ({ headers }, value) => {
    headers.push({ key, value });
  };
const raw: Taker = (found, value) => {
  found.data.push(value);
};
const files: Taker = (found) => {
  found.hasFiles = true;
};
const data: Taker = (found, value) => (value.startsWith("@") ? files : raw)(found, value);
const method: Taker = (found, value) => {
  found.method = value.toUpperCase();
};
const url: Taker = (found, value) => {
  found.url ??= value;
};
const user: Taker = ({ headers }, value) => {
  headers.push({ key: "Authorization", value: `Basic ${value}` });
};
const json: Taker = (found, value) => {
  data(found, value);
  found.headers.push({ key: "Content-Type", value: "application/json" }, { key: "Accept", value: "application/json" });
};
const encoded: Taker = (found, value) => {
  const [name = "", text] = splitAt(value, "=");
  if (text === undefined && value.includes("@")) return files(found, value);
  found.data.push(text === undefined ? encodeURIComponent(name) : `${name}=${encodeURIComponent(text)}`);
};
const passedOver: Taker = () => {};

/** The flags that require a value. */
const takers: Readonly<Record<string, Taker>> = {
  ...{ X: method, request: method, url, H: header, header, u: user, user, json },
  ...{ d: data, data, "data-raw": raw, "data-binary": data, "data-ascii": data, "data-urlencode": encoded },
  ...{ A: headerOf("User-Agent"), "user-agent": headerOf("User-Agent") },
  ...{ b: headerOf("Cookie"), cookie: headerOf("Cookie"), e: headerOf("Referer"), referer: headerOf("Referer") },
  ...{ o: passedOver, output: passedOver, m: passedOver, "max-time": passedOver, "connect-timeout": passedOver },
  ...{ x: passedOver, proxy: passedOver, c: passedOver, "cookie-jar": passedOver, w: passedOver },
  ...{ "write-out": passedOver, retry: passedOver, cacert: passedOver, cert: passedOver, E: passedOver },
  ...{ key: passedOver, resolve: passedOver, "max-redirs": passedOver, "retry-delay": passedOver },
  ...{ F: files, form: files, "form-string": files, T: files, "upload-file": files },
};

/** Splits a word into the name of a flag and its value. A word that is not a flag has only a value. */
function flagOf(word: string): { readonly name?: string; readonly value?: string } {
  if (word.startsWith("--")) {
    const [name = "", value] = splitAt(word.slice(2), "=");
    return value === undefined ? { name } : { name, value };
  }
  if (!/^-\w/.test(word)) return { value: word };
  // A word may contain several one-letter flags. The last flag may be followed by its value.
  for (let at = 1; at < word.length; at++) {
    const letter = word.charAt(at);
    const rest = word.slice(at + 1);
    if (Object.hasOwn(takers, letter)) return rest === "" ? { name: letter } : { name: letter, value: rest };
  }
  return { name: word.includes("G") ? "get" : word.includes("I") ? "head" : word.slice(1) };
}

/** Splits a command into words as a shell does, with quotes, backslashes and continued lines. */
function shellWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (letter === "\\" || (letter === "^" && /[\r\n]/.test(text.charAt(at + 1)))) {
      const next = text.charAt(++at);
      // A backslash, or the `^` of Windows, before a line break continues the line.
      if (next === "\r" && text.charAt(at + 1) === "\n") at++;
      else if (next !== "\n") word = (word ?? "") + next;
    } else if (letter === "'" || letter === '"' || (letter === "$" && text.charAt(at + 1) === "'")) {
      const isCode = letter === "$";
      const quoted = readQuoted(text, isCode ? at + 1 : at, isCode);
      word = (word ?? "") + quoted.text;
      at = quoted.end;
    } else word = (word ?? "") + letter;
  }
  return word === undefined ? words : [...words, word];
}

/** Reads the text between the quote at `start` and the closing quote. `$'…'` supports the common C escapes. */
function readQuoted(text: string, start: number, isCode: boolean): { readonly text: string; readonly end: number } {
  const quote = text.charAt(start);
  let read = "";
  let at = start + 1;
  for (; at < text.length && text.charAt(at) !== quote; at++) {
    const letter = text.charAt(at);
    const next = text.charAt(at + 1);
    if (letter !== "\\" || !(isCode || (quote === '"' && /["\\$`\n]/.test(next)))) {
      read += letter;
      continue;
    }
    at++;
    const [, hex] = isCode ? (/^(?:u|x)([\da-f]{1,4})/i.exec(text.slice(at, at + 5)) ?? []) : [];
    if (hex !== undefined) {
      const digits = next === "x" ? hex.slice(0, 2) : hex;
      read += String.fromCharCode(Number.parseInt(digits, 16));
      at += digits.length;
    } else if (isCode) read += escapes[next] ?? next;
    else if (next !== "\n") read += next;
  }
  return { text: read, end: at };
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", 0: "\0" };
