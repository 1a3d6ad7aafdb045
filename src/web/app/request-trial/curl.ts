/** A request as it was sent. */
export type SentRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: string | null;
};

/** Prints the request as a curl command for a shell, one part a line. */
export function curlOf({ method, url, headers, body }: SentRequest): string {
  const verb = method === "HEAD" ? "--head" : `--request ${method}`;
  // curl reads these characters as patterns; here they are names of secrets, or the address itself.
  const glob = /[{}[\]]/.test(url) ? " --globoff" : "";
  return [
    `curl ${verb}${glob} ${quoted(url.replaceAll(notInAddresses, encodeURIComponent))}`,
    ...headers.map(({ name, value }) => `--header ${quoted(value === "" ? `${name};` : `${name}: ${value}`)}`),
    // Not `--data`, which reads files where a body begins with an at sign.
    ...(body === null ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(" \\\n  ");
}

/** The characters that are encoded: browsers and servers accept them, curl does not. */
const notInAddresses = /[^!-~]+|["<>\\^`]/gu;

/** A shell interprets no part of the text. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
