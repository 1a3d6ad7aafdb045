import { hostOf } from "../core/flow/outgoing-rules.ts";
import { parseJsonOr } from "../core/interpreter/language/json.ts";
import { replaceTokens, tokenPrefix } from "../core/interpreter/language/secret-tokens.ts";
import type { Headers } from "./safe-fetch/safe-fetch-exchange.ts";

export type SecretValue = {
  /** Undefined if no key decrypts the value. */
  readonly value: string | undefined;
  /** The only hosts to which the secret may be sent. Null allows all hosts. */
  readonly hosts: readonly string[] | null;
};

/** The secrets of a step's tokens. */
export type StepSecrets = {
  /** The number in the tokens of this step. Tokens with another number are not replaced. */
  readonly number: string;
  find(names: readonly string[]): Promise<ReadonlyMap<string, SecretValue>>;
};

/** A request with tokens, as created by its flow. */
export type RequestWithTokens = { readonly url: string; readonly headers: Headers; readonly body?: string };

/** A request after its tokens were replaced. */
export type FilledRequest = RequestWithTokens & {
  /** Lower-case names of headers that contain a secret. */
  readonly secretHeaders: ReadonlySet<string>;
  readonly isBodySecret: boolean;
  /** Removes the values of secrets from a response or log text, so that an echo does not reveal them. */
  readonly mask: (text: string) => string;
};

/** A shorter value is too common to be searched for in responses. */
const shortestMasked = 8;

/**
 * Replaces tokens with the values of their secrets. If the request must not be made, returns a sentence with the
 * reason.
 */
export async function fillSecrets(
  request: RequestWithTokens,
  secrets: StepSecrets | undefined,
): Promise<FilledRequest | { readonly refusal: string }> {
  const { url, headers, body = "" } = request;
  const names = secrets ? namesIn([url, body, ...headers.flat()], secrets.number) : [];
  if (!secrets || names.length === 0) {
    return { ...request, secretHeaders: new Set(), isBodySecret: false, mask: (text) => text };
  }
  const found = await secrets.find(names);
  const values = new Map<string, string>();
  for (const name of names) {
    const secret = found.get(name);
    if (!secret) return { refusal: `There is no secret "${name}"` };
    if (secret.value === undefined) return { refusal: `The secret "${name}" cannot be decrypted` };
    values.set(name, secret.value);
  }
  const fill = (text: string, encode: (value: string) => string): string =>
    replaceTokens(text, (name) => encode(values.get(name) ?? ""), secrets.number);
  const filled = fillHeaders(headers, fill);
  if ("refusal" in filled) return filled;
  const address = fillAddress(url, fill);
  const host = hostIn(address);
  for (const name of names) {
    const hosts = found.get(name)?.hosts;
    if (hosts && (host === undefined || !hosts.includes(host))) {
      return { refusal: `The secret "${name}" may not be sent to this host` };
    }
  }
  const filledBody = fill(body, bodyEncoding(body, headers));
  return {
    url: address,
    headers: filled.headers,
    ...(request.body !== undefined && { body: filledBody }),
    secretHeaders: filled.secretHeaders,
    isBodySecret: filledBody !== body,
    mask: createMask([...values.values(), ...filled.encoded]),
  };
}

function namesIn(texts: readonly string[], number: string): string[] {
  const names = new Set<string>();
  for (const text of texts) {
    replaceTokens(
      text,
      (name) => {
        names.add(name);
        return "";
      },
      number,
    );
  }
  return [...names];
}

type Fill = (text: string, encode: (value: string) => string) => string;

/**
 * Replaces the tokens in a URL. Secrets are percent-encoded, except at the beginning, where a secret is itself a URL,
 * such as the URL of an incoming webhook.
 */
function fillAddress(url: string, fill: Fill): string {
  let isFirst = url.startsWith(tokenPrefix);
  return fill(url, (value) => {
    const isWhole = isFirst;
    isFirst = false;
    return isWhole ? value : encodeURIComponent(value.toWellFormed());
  });
}

function hostIn(address: string): string | undefined {
  const url = URL.parse(address);
  return url ? hostOf(url) : undefined;
}

type FilledHeaders = Pick<FilledRequest, "headers" | "secretHeaders"> & { readonly encoded: readonly string[] };

function fillHeaders(headers: Headers, fill: Fill): FilledHeaders | { readonly refusal: string } {
  const filled: [string, string][] = [];
  const secretHeaders = new Set<string>();
  const encoded: string[] = [];
  for (const [name, text] of headers) {
    const [newName, plain] = [fill(name, asItIs), fill(text, asItIs)];
    const isSecret = newName !== name || plain !== text;
    if (isSecret && /[\r\n]/.test(newName + plain)) {
      return { refusal: "A secret with a line break cannot be sent in a header" };
    }
    const value = isSecret && newName.toLowerCase() === "authorization" ? withEncodedBasic(plain) : plain;
    if (value !== plain) encoded.push(value.slice(value.indexOf(" ") + 1));
    if (isSecret) secretHeaders.add(newName.toLowerCase());
    filled.push([newName, value]);
  }
  return { headers: filled, secretHeaders, encoded };
}

/** Encodes the user name and password as blocks do for headers without a secret. */
function withEncodedBasic(value: string): string {
  const [scheme = ""] = /^basic\s+/i.exec(value) ?? [];
  const account = value.slice(scheme.length);
  return scheme !== "" && account.includes(":") ? scheme + Buffer.from(account).toString("base64") : value;
}

function bodyEncoding(body: string, headers: Headers): (value: string) => string {
  if (parseJsonOr(body, undefined) !== undefined) return jsonInner;
  const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  return type.includes("x-www-form-urlencoded") ? formEncoded : asItIs;
}

const asItIs = (value: string): string => value;
const jsonInner = (value: string): string => JSON.stringify(value).slice(1, -1);
const formEncoded = (value: string): string => new URLSearchParams([["", value]]).toString().slice(1);

/**
 * Returns a function that masks the values in all forms in which requests contain them. Values shorter than eight
 * characters are not masked.
 */
export function createMask(values: readonly string[]): (text: string) => string {
  const forms = values
    .filter((value) => value.length >= shortestMasked)
    .flatMap((value) => [
      value,
      jsonInner(value),
      // The form of a value in a JSON body that is echoed as text inside JSON.
      jsonInner(jsonInner(value)),
      encodeURIComponent(value.toWellFormed()),
      formEncoded(value),
    ]);
  // Longer forms come first because one value may be a prefix of another.
  const distinct = [...new Set(forms)].sort((one, other) => other.length - one.length);
  return (text) => distinct.reduce((masked, form) => masked.replaceAll(form, "•••"), text);
}
