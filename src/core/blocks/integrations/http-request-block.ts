import { type Static, Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import { mapResponse } from "../../interpreter/evaluation/expression.ts";
import { isJsonObject, textAt, valueAt } from "../../interpreter/flow.ts";
import { tokenPrefix, withSecretNames } from "../../interpreter/language/secret-tokens.ts";
import { parseUntrustedJson, untrustedJsonOrText } from "../../interpreter/language/untrusted-json.ts";
import type { BlockBase, BlockDefinition } from "../../interpreter/program/block.ts";
import { defineIntegration } from "../../interpreter/program/block.ts";
import type { BlockEditor, BlockExample } from "../../interpreter/program/block-editor.ts";
import type { Report } from "../../interpreter/program/effect.ts";
import { continueAfter, type Outcome, type StepLog } from "../../interpreter/program/outcome.ts";
import type { View } from "../../interpreter/program/view.ts";
import { cells, type FormLayout } from "../../interpreter/schemas/form-layout.ts";
import { failedWith, logged } from "../logged.ts";
import { advanced, helped, hiddenFromGuests, marked, option, shownWhen, titled } from "../options.ts";
import { type BuiltRequest, buildRequest, isDefaultBody } from "./build-request.ts";

const methods = ["POST", "GET", "PUT", "DELETE", "PATCH", "HEAD", "CONNECT", "OPTIONS", "TRACE"] as const;

const keyValuesOf = (what: string) =>
  marked(
    { widget: "pairs" },
    option.list(what, {
      key: titled("Name", option.text("Name of the entry. Entries without a name are ignored.")),
      value: option.text("Value of the entry. Entries without a value are ignored."),
    }),
  );

const optionsSchema = Type.Object({
  // Webhook addresses are secret, and query parameters often contain secrets.
  webhook: Type.Optional(
    hiddenFromGuests(
      Type.Object(
        {
          id: option.kept("Id of the request in flows of older versions, which is not used."),
          method: option.word(methods, "The HTTP method.", "POST"),
          url: option.address(
            "URL of the request, with http or https. Parley itself calls only public addresses and hosts that the operator allows.",
          ),
          headers: helped(
            "`Authorization: Basic user:password` is encoded automatically.",
            keyValuesOf(
              "Headers of the request. If a name occurs several times, the last value is used. `Authorization: Basic user:password` is encoded automatically.",
            ),
          ),
          queryParams: titled(
            "Query parameters",
            keyValuesOf("Query parameters that are added to the URL. A name can occur several times."),
          ),
          body: shownWhen(
            { isCustomBody: [true] },
            helped(
              "Variables between JSON quotes are escaped automatically.",
              option.markup("json", "The custom body. Values between JSON quotes are escaped."),
            ),
          ),
        },
        { title: "Request", description: "The request. Without a request, the block has no effect." },
      ),
    ),
  ),
  isCustomBody: marked(
    { title: "Custom body", help: "Otherwise all answers and variables are sent." },
    option.flag("Whether `body` is sent. Otherwise a JSON object with all answers and variables is sent."),
  ),
  isExecutedOnClient: marked(
    { title: "Send from the visitor's browser", isAdvanced: true },
    option.flag(
      "Whether the visitor's client sends the request instead of the service. The flow waits for the response in both cases.",
    ),
  ),
  responseVariableMapping: option.responseMapping(
    "Parts of the response to save in variables, regardless of the response's status.",
  ),
  variablesForTest: Type.Optional(
    hiddenFromGuests(
      Type.Array(
        Type.Object({
          variableId: option.variable("Id of a variable."),
          value: option.text("Value of the variable in a test."),
        }),
        {
          title: "Values for tests",
          description: "Values that editors use to test the request. Chats do not use them.",
          help: "Only tests use them.",
          isAdvanced: true,
        },
      ),
    ),
  ),
  proxyCredentialsId: marked(
    { title: "Proxy", isAdvanced: true },
    option.credentials(
      "Id of the workspace's credentials of the type `http proxy`. The request uses this proxy, unless the visitor's browser sends it.",
      { credentialsType: "http proxy" },
    ),
  ),
  failure: option.failure,
  timeout: advanced(
    helped(
      `In seconds, up to ${limits.outgoing.maxHttpSeconds}.`,
      option.number(
        `Maximum number of seconds to wait for a response, including retries, up to ${limits.outgoing.maxHttpSeconds}. Zapier, Make.com and Pabbly blocks, and calls to some slow hosts, wait ${limits.outgoing.maxHttpSeconds} seconds by default.`,
        limits.outgoing.httpSeconds,
      ),
    ),
  ),
});

const schema = Type.Object({ options: Type.Optional(optionsSchema) });

const form: FormLayout = [
  {
    cells: [
      { field: "options.webhook.method", pixels: 100 },
      { field: "options.webhook.url", widget: "callAddress" },
      { widget: "send", width: 0 },
    ],
  },
  {
    tabs: [
      { title: "Query", counts: "options.webhook.queryParams", rows: [cells("options.webhook.queryParams")] },
      { title: "Headers", counts: "options.webhook.headers", rows: [cells("options.webhook.headers")] },
      { title: "Body", rows: [cells("options.isCustomBody"), cells("options.webhook.body")] },
      {
        title: "Answer",
        counts: "options.responseVariableMapping",
        rows: [{ cells: [{ widget: "trial" }] }, cells("options.responseVariableMapping")],
      },
    ],
  },
];

type Options = Static<typeof optionsSchema>;
type HttpBlock = BlockBase & Static<typeof schema>;

/** The differences between the four block types that send requests. */
export type HttpBlockKind = {
  readonly type: string;
  readonly schemaName?: string;
  readonly summary: string;
  readonly examples: readonly BlockExample[];
  readonly editor: BlockEditor;
  /** The default timeout in seconds. */
  readonly seconds: number;
  /** Whether responses reported by a client are mapped to variables. */
  readonly mapsClientAnswer: boolean;
};

/**
 * Defines a block that sends a request and maps the response to variables. The flow continues even if the request
 * fails.
 */
export function defineHttpBlock(kind: HttpBlockKind): BlockDefinition {
  const { type, schemaName, summary, examples, editor, mapsClientAnswer } = kind;
  return defineIntegration({
    type,
    ...(schemaName !== undefined && { schemaName }),
    summary,
    schema,
    examples,
    editor: { form, ...editor },
    ways({ options }) {
      const isClients = Boolean(textAt(options, "webhook", "url")) && valueAt(options, "isExecutedOnClient") === true;
      return { waits: isClients, ways: [{ kind: "on" }] };
    },
    // Authors can test this request without a confirmation, because the form already states that the request is sent.
    callsOut: () => ({ writes: false }),
    calledAddress: ({ options }) =>
      valueAt(options, "isExecutedOnClient") === true ? undefined : textAt(options, "webhook", "url"),
    listsAnswers: ({ options }) =>
      Boolean(textAt(options, "webhook", "url")) &&
      isDefaultBody({
        isCustomBody: valueAt(options, "isCustomBody") === true,
        body: textAt(options, "webhook", "body"),
      }),
    run(block, view) {
      const { options = {} } = block;
      if (!options.webhook) return continueAfter(block);
      const request = requestOf(options, view);
      if (!request) return failedWith(block, { description: "Couldn't parse webhook attributes", context: type });
      const logs = request.isBroken && { logs: [{ ...brokenBody, context: type }] };
      if (isSentByClient(options, view)) return { kind: "pause", ...logs, actions: [clientAction(request)] };
      return {
        kind: "perform",
        ...logs,
        effect: effectOf(request, secondsFor(options, request, kind), view.text(options.proxyCredentialsId)),
        memo: requestForLog(request),
      };
    },
    report: (block, view, report, memo) => handleReport(block, view, { report, request: memo, type }),
    resume(block, view, reply) {
      if (reply?.type !== "text") return continueAfter(block);
      const answer = parseUntrustedJson(reply.text)?.value;
      const unsent = clientFailureOf(answer, type);
      // If the response is not mapped to variables, a response that cannot be read counts as a success.
      const isAnswered = unsent === undefined || unreadable.has(textAt(answer, "failure") ?? "");
      if (!mapsClientAnswer) return isAnswered ? continueAfter(block) : failedWith(block, unsent);
      if (!isJsonObject(answer))
        return failedWith(block, { description: "Provided response is not valid JSON", context: type });
      const { statusCode, data } = answer;
      const isFailed = typeof statusCode === "number" && !isSuccess(statusCode);
      const writes = mapResponse(mappingsOf(block), { statusCode, data }, view);
      return { ...continueAfter(block), writes, ...(unsent && { logs: [unsent] }), ...(isFailed && { failed: {} }) };
    },
  });
}

const brokenBody = {
  status: "warning",
  description: "The body was not valid JSON after variables were inserted, so it was sent as text.",
} as const;

/**
 * Returns whether the visitor's client sends the request. Contacts on messengers have no browser, so the service sends
 * their requests.
 */
function isSentByClient({ isExecutedOnClient }: Options, { contact }: View): boolean {
  return isExecutedOnClient === true && contact === undefined;
}

function requestOf(options: Options, view: View): BuiltRequest | undefined {
  const { webhook, isCustomBody = false } = options;
  const { method = "POST", url, ...rest } = webhook ?? {};
  const templates = isSentByClient(options, view) ? view.templates : view.requestTemplates;
  return url ? buildRequest({ ...rest, method, url, isCustomBody }, view, templates) : undefined;
}

function clientAction({ url, method, headers, content }: BuiltRequest) {
  const httpRequestToExecute = {
    url,
    method,
    headers: Object.fromEntries(headers),
    ...(content !== undefined && { body: content }),
  };
  return { type: "httpRequestToExecute", httpRequestToExecute, expectsDedicatedReply: true };
}

/** The reasons why a visitor's browser has no response to report. Older clients do not send a reason. */
const clientFailures: Readonly<Record<string, string>> = {
  blocked_by_page: "The page blocked the request of the visitor's browser",
  unreachable:
    "The visitor's browser got no readable response: the server is not available, or does not allow requests from this page",
  timed_out: "The visitor's browser did not get a response in time",
  not_json: "The visitor's browser got a response that is not JSON",
  too_large: "The visitor's browser got a response that is too large",
};

/** Failure reasons for responses that arrived but cannot be used. */
const unreadable: ReadonlySet<string> = new Set(["not_json", "too_large"]);

function clientFailureOf(answer: unknown, type: string): StepLog | undefined {
  const failure = textAt(answer, "failure") ?? "";
  const description = Object.hasOwn(clientFailures, failure) ? clientFailures[failure] : undefined;
  return description === undefined
    ? undefined
    : { status: "error", description, details: failure, context: type, reason: "http.unanswered" };
}

const idempotentMethods = new Set(["GET", "PUT", "HEAD", "DELETE", "OPTIONS", "TRACE"]);

function effectOf({ url, method, headers, body }: BuiltRequest, seconds: number, proxyCredentialsId: string) {
  return {
    kind: "http",
    url,
    method,
    headers,
    ...(body !== undefined && { body }),
    ...(proxyCredentialsId !== "" && { proxyCredentialsId }),
    timeoutMs: seconds * 1_000,
    retries: idempotentMethods.has(method) ? limits.outgoing.retries : 0,
  } as const;
}

/**
 * Hosts that respond slowly. Requests to a slow host get the longest timeout, unless the author has changed the
 * timeout.
 */
const slowHosts = new Set([
  "api.openai.com",
  "api.anthropic.com",
  "retune.so",
  "www.chatbase.co",
  "channel-connector.orimon.ai",
]);

function secondsFor({ timeout }: Options, { url }: BuiltRequest, { seconds }: HttpBlockKind): number {
  if (timeout !== undefined && timeout !== limits.outgoing.httpSeconds) {
    return Math.min(Math.max(timeout, 1), limits.outgoing.maxHttpSeconds);
  }
  return slowHosts.has(URL.parse(url)?.hostname ?? "") ? limits.outgoing.maxHttpSeconds : seconds;
}

/** Returns the request for the log. Headers are omitted because they contain keys, and long texts are truncated. */
function requestForLog({ url, method, content, body }: BuiltRequest): Record<string, unknown> {
  const logged = { url: shortened(url, url), method, ...(body !== undefined && { body: shortened(content, body) }) };
  const text = JSON.stringify(logged);
  return text.includes(tokenPrefix) ? JSON.parse(withSecretNames(text)) : logged;
}

type Reported = { readonly report: Report; readonly request: unknown; readonly type: string };

function handleReport(block: HttpBlock, view: View, { report, request, type }: Reported): Outcome {
  if (report.kind !== "http") {
    const description = report.kind === "refused" ? report.reason : "The request was not sent";
    return logged(block, { status: "info", description, context: type });
  }
  const { statusCode } = report;
  const data = "error" in report ? report.error : untrustedJsonOrText(report.text);
  const isGood = isSuccess(statusCode);
  const log: StepLog = {
    status: isGood ? "success" : "error",
    description: isGood ? "Webhook successfuly executed." : "Webhook returned an error.",
    ...(!isGood && { reason: "error" in report ? "http.unanswered" : `http.${statusCode}` }),
    details: JSON.stringify({ statusCode, request, response: "text" in report ? shortened(data, report.text) : data }),
    // The log entry is private because responses may contain secrets.
    isPrivate: true,
  };
  const writes = mapResponse(mappingsOf(block), { statusCode, data }, view);
  return { ...continueAfter(block), logs: [log], writes, ...(!isGood && { failed: {} }) };
}

function isSuccess(statusCode: number): boolean {
  return statusCode >= 200 && statusCode < 300;
}

function mappingsOf({ options }: HttpBlock): NonNullable<Options["responseVariableMapping"]> {
  return options?.responseVariableMapping ?? [];
}

/** Returns the value for the log, or the beginning of its text if the text is too long. */
function shortened(value: unknown, text: string): unknown {
  return text.length <= limits.logs.detailsCharacters ? value : `${text.slice(0, limits.logs.detailsCharacters)}...`;
}
