import { InvalidArgumentError } from "commander";
import { isObject, textAt } from "../../web/conversation/read.ts";
import { type AddCommand, jsonOption, printJson, type Tools, UsageError } from "../command.ts";
import { copyToOutput } from "../output/copy-to-output.ts";
import { defaultUrl, type ServiceOptions, serviceOptions } from "../service-options.ts";

type Pairs = readonly (readonly [string, string])[];

type ApiOptions = ServiceOptions & {
  readonly data?: string;
  readonly query?: Pairs;
  readonly header?: Pairs;
  readonly all?: true;
};

const notes = `
PATH is the path in the API's documentation (/docs), such as /api/v1/bots, or bots for short. The output is the service's response, even if it is
an error: the error's sentence is then also on standard error, and the exit code is 1. --data @FILE reads the body from a file, --data - from
standard input.`;

export const addApi: AddCommand = (program, tools) => {
  program
    .command("api")
    .description("Send a request to the API of a service, with its token, and print the response.")
    .argument("<method>", "GET, POST, PUT, PATCH or DELETE")
    .argument("<path>", "the path of the operation")
    .option("--data <json>", "the body, @ and a file, or - for standard input")
    .option("--query <name=value>", "a query parameter; may be repeated", readPair("=", "a name, = and a value"))
    .option("--header <name: value>", "a header; may be repeated", readPair(":", "a name, a colon and a value"))
    .option("--all", "fetch all pages of a list and print them as one")
    .option(...serviceOptions.url, defaultUrl(tools.environment))
    .option(...serviceOptions.token)
    .option(...jsonOption)
    .addHelpText("after", notes)
    .action((method: string, path: string, options: ApiOptions) => send(tools, { method, path, options }));
};

type Request = { readonly method: string; readonly path: string; readonly options: ApiOptions };

async function send(tools: Tools, { method: given, path, options }: Request): Promise<void> {
  const { openRequests, readMethod, refusal } = await import("../service.ts");
  const method = readMethod(given);
  if (!method) throw new UsageError(`"${given}" is not a method: use GET, POST, PUT, PATCH or DELETE.`);
  if (options.all && method !== "GET") throw new UsageError("--all requires GET.");
  if (/^https?:/i.test(path))
    throw new UsageError(`"${path}" is a full URL: enter only the path, and the service with --url.`);
  const request = openRequests(options, tools.environment);
  const { query = [], header = [] } = options;
  const body = options.data === undefined ? undefined : await readBody(options.data);
  const type = body === undefined || hasType(header) ? {} : { "content-type": typeOf(body) };
  const headers = { ...type, ...Object.fromEntries(header) };
  const ask = (pairs: Pairs) =>
    request(method, addressOf(path, pairs), { headers, ...(body !== undefined && { body }) });
  const response = await ask(query);
  if (!/\bjson\b/.test(response.headers.get("content-type") ?? "")) {
    if (!response.ok) refuse(tools, refusal(response.status, undefined));
    return await copyToOutput(response);
  }
  const answer: unknown = await response.json();
  if (!response.ok) refuse(tools, refusal(response.status, answer));
  printJson(tools, options.all && response.ok ? await allPages(answer, { ask, query }) : answer);
}

function refuse(tools: Tools, sentence: string): void {
  tools.tell(sentence);
  tools.setExitCode(1);
}

type Pages = { readonly query: Pairs; ask(query: Pairs): Promise<Response> };

/**
 * Returns the first page of a list with the entries of all pages added. Throws a StartError unless the response
 * contains exactly one list, or if a page is rejected.
 */
async function allPages(first: unknown, { ask, query }: Pages): Promise<unknown> {
  const { StartError } = await import("../../config.ts");
  const { refusal } = await import("../service.ts");
  const [name, ...others] = isObject(first) ? Object.keys(first).filter((key) => Array.isArray(first[key])) : [];
  if (!isObject(first) || name === undefined || others.length > 0)
    throw new StartError("--all requires a response with one list.");
  const entries: unknown[] = [];
  let page: unknown = first;
  for (;;) {
    if (isObject(page) && Array.isArray(page[name])) entries.push(...page[name]);
    const cursor = textAt(page, "nextCursor");
    if (cursor === undefined) break;
    const response = await ask([...query.filter(([key]) => key !== "cursor"), ["cursor", cursor]]);
    page = await response.json();
    if (!response.ok) throw new StartError(refusal(response.status, page));
  }
  const { nextCursor: _, ...rest } = first;
  return { ...rest, [name]: entries };
}

function addressOf(path: string, query: Pairs): string {
  const whole = path.startsWith("/") ? path : `/api/v1/${path}`;
  if (query.length === 0) return whole;
  const search = new URLSearchParams(query.map(([name, value]) => [name, value]));
  return `${whole}${whole.includes("?") ? "&" : "?"}${search}`;
}

async function readBody(data: string): Promise<Uint8Array<ArrayBuffer> | string> {
  if (data === "-") return new Uint8Array(await Bun.stdin.arrayBuffer());
  if (!data.startsWith("@")) return data;
  const { StartError } = await import("../../config.ts");
  const path = data.slice(1);
  return Bun.file(path)
    .bytes()
    .catch((error: Error) => {
      throw new StartError(`${path} cannot be read: ${error.message}`, { cause: error });
    });
}

/**
 * Returns the JSON type for valid JSON, and for a body that starts like an object or a list, so that the service can
 * report its syntax error. Any other body is sent as a file.
 */
function typeOf(body: Uint8Array | string): string {
  try {
    const text = typeof body === "string" ? body : new TextDecoder("utf-8", { fatal: true }).decode(body);
    if (!/^\s*[{[]/.test(text)) JSON.parse(text);
    return "application/json";
  } catch {
    return "application/octet-stream";
  }
}

function hasType(headers: Pairs): boolean {
  return headers.some(([name]) => name.toLowerCase() === "content-type");
}

function readPair(sign: string, words: string) {
  return (text: string, before: Pairs = []): Pairs => {
    const end = text.indexOf(sign);
    if (end < 1) throw new InvalidArgumentError(`Expected ${words}.`);
    return [...before, [text.slice(0, end).trim(), text.slice(end + 1).trim()]];
  };
}
