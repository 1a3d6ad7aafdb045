export type SentRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: string | null;
};

/** Returns the request as a curl command for a shell, with each part on its own line. */
export function curlOf({ method, url, headers, body }: SentRequest): string {
  const verb = method === "HEAD" ? "--head" : `--request ${method}`;
  // curl interprets these characters as patterns. In this URL, they belong to names of secrets or to the URL itself.
  const glob = /[{}[\]]/.test(url) ? " --globoff" : "";
  return [
    `curl ${verb}${glob} ${quoted(url.replaceAll(notInAddresses, encodeURIComponent))}`,
    ...headers.map(({ name, value }) => `--header ${quoted(value === "" ? `${name};` : `${name}: ${value}`)}`),
    // `--data` would read a file if the body began with `@`.
    ...(body === null ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(" \\\n  ");
}

/** The characters that must be encoded: browsers and servers accept them, but curl does not. */
const notInAddresses = /[^!-~]+|["<>\\^`]/gu;

/** Quotes a text so that a shell interprets no part of it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
