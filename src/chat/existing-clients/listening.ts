import { blocks } from "../../core/blocks/index.ts";
import { textMessage } from "../../core/interpreter/evaluation/text-content.ts";
import { isJsonObject, textAt, valueAt } from "../../core/interpreter/flow.ts";
import { isInputMessage } from "../../core/interpreter/program/outcome.ts";
import type { SpokenStep } from "../../effects/effect-context.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { type Origins, requireOrigin } from "../../management/access/origins.ts";
import { isId } from "../../platform/ids.ts";
import { findSession, listSteps } from "../reads/sessions.sql.ts";
import { listStepsAfter } from "../reads/steps.sql.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";

const ownTypes = [...blocks.values()].flatMap(({ type, input }) => (input?.asKnown ? [RegExp.escape(type)] : []));

/**
 * Finds responses, as JSON texts, that may ask with an input that only our own clients know. Most do not, which saves
 * parsing them.
 */
const ownInput = new RegExp(`"type":"(?:${ownTypes.join("|")})"`);

/** Rewrites a response (JSON text) so that its input is one that an existing client knows. */
function withKnownInput(response: string): string {
  if (!ownInput.test(response)) return response;
  const parsed: unknown = JSON.parse(response);
  const input = valueAt(parsed, "input");
  if (!isJsonObject(parsed) || !isInputMessage(input)) return response;
  const known = blocks.get(input.type)?.input?.asKnown?.(input);
  if (!known) return response;
  const messages = Array.isArray(parsed["messages"]) ? parsed["messages"] : [];
  const isMarkdown = messages.some((message) => textAt(message, "content", "type") === "markdown");
  const { id, outgoingEdgeId } = input;
  const said = known.said ? [textMessage(id, known.said, isMarkdown ? "markdown" : "richText")] : [];
  return JSON.stringify({
    ...parsed,
    messages: [...messages, ...said],
    input: {
      ...{ id, ...(outgoingEdgeId !== undefined && { outgoingEdgeId }) },
      ...{ type: known.type, ...(known.options && { options: known.options }) },
    },
  });
}

/** How often a held report checks for the webhook call. */
const pollMs = 1_000;

/** The listening step is the last one, except for commands after it. */
const searchedSteps = 10;

/**
 * Existing clients listen for a webhook call on a socket of another service, run by a third party by default. Our
 * responses make them report at once instead, with a word that names the listening step. That report is held open until
 * the call arrives, and its response is the step that the call leads to.
 */
const reportPattern = /parley-listening-(\d{1,9})/;

/**
 * Rewrites a response for an existing client: it has only inputs that the client supports, and instead of listening on
 * a socket the client reports and is held open.
 */
export function withReport(response: string, revision: number): string {
  const known = withKnownInput(response);
  if (!mayListen(known)) return known;
  return JSON.stringify(addReports(JSON.parse(known), revision));
}

/** Whether a response, as JSON text, may contain an action to listen. Most do not, which saves parsing them. */
export function mayListen(response: string): boolean {
  return response.includes('"listenForWebhook"');
}

/**
 * The response of a session's latest step, with a report if the client is to be held open. Most responses are returned
 * immediately, unchanged.
 */
export function withHeldReport(deps: ChatDependencies, sessionId: string, response: string): string | Promise<string> {
  return mayListen(response) || ownInput.test(response) ? heldReport(deps, sessionId, response) : response;
}

async function heldReport(deps: ChatDependencies, sessionId: string, response: string): Promise<string> {
  const session = await findSession(deps.sql, sessionId, null);
  if (session?.dialect !== "typebot") return response;
  if (!mayListen(response)) return withKnownInput(response);
  const steps = await listSteps(deps.sql, sessionId, searchedSteps);
  const listening = steps.find((step) => isListening(step.response));
  return listening ? withReport(response, listening.revision) : response;
}

/** The step that a report of `withReport` names; undefined for any other message. */
export function listeningRevision(message: unknown): number | undefined {
  const text = typeof message === "string" ? message : valueAt(message, "text");
  const revision = typeof text === "string" ? reportPattern.exec(text)?.[1] : undefined;
  return revision === undefined ? undefined : Number(revision);
}

export type Listening = {
  readonly sessionId: string;
  readonly revision: number;
  readonly origins: Origins;
  /** Ends the wait early, because the client has disconnected. */
  readonly signal: AbortSignal;
};

/**
 * Waits until a webhook call steps the session on from the listening step, and returns the response of that step. After
 * a timeout it asks the client to report again. Undefined when the named step does not listen: the message is an
 * ordinary reply.
 */
export async function waitForWebhook(deps: ChatDependencies, listening: Listening): Promise<string | undefined> {
  const { sessionId, revision, origins, signal } = listening;
  const session = isId(sessionId) ? await findSession(deps.sql, sessionId, null) : undefined;
  if (session?.dialect !== "typebot") return undefined;
  requireOrigin(deps, origins, session.allowedOrigins);
  const [step, ...further] = await listStepsAfter(deps.sql, sessionId, { revision: revision - 1, limit: 2 });
  if (step?.revision !== revision || !isListening(step.response)) return undefined;

  let next: SpokenStep | undefined = further[0];
  const deadline = performance.now() + limits.existingClients.listeningMs;
  while (!next && performance.now() < deadline && !signal.aborted) {
    await Bun.sleep(pollMs);
    const now = await deps.reads.sessions.add({ id: sessionId, key: null });
    if (!now || now.isExpired) throw new AppError(now ? "session.expired" : "session.not_found");
    if (now.revision > revision) [next] = await listStepsAfter(deps.sql, sessionId, { revision, limit: 1 });
  }
  if (next) return withReport(JSON.stringify(next.response), next.revision);
  return JSON.stringify(stillListening(step.response, revision));
}

function addReports(response: unknown, revision: number): unknown {
  if (!isJsonObject(response)) return response;
  const actions = actionsOf(response).map((action) => (isListen(action) ? reportAction(action, revision) : action));
  return { ...response, clientSideActions: actions };
}

/** No messages, and a repeated report. */
function stillListening(response: unknown, revision: number): object {
  const dynamicTheme = valueAt(response, "dynamicTheme");
  return {
    messages: [],
    clientSideActions: [reportAction({}, revision)],
    logs: [],
    ...(dynamicTheme !== undefined && { dynamicTheme }),
    progress: valueAt(response, "progress") ?? 0,
  };
}

/**
 * If the page forbids scripts, clients send this script's text instead of its value; the text contains the same word.
 */
function reportAction({ lastBubbleBlockId }: { readonly lastBubbleBlockId?: unknown }, revision: number): object {
  const content = `return "parley-listening-${revision}"`;
  return {
    type: "setVariable",
    setVariable: { scriptToExecute: { content, args: [] } },
    ...(lastBubbleBlockId !== undefined && { lastBubbleBlockId }),
    expectsDedicatedReply: true,
  };
}

function isListening(response: unknown): boolean {
  return actionsOf(response).some(isListen);
}

function isListen(action: unknown): action is { readonly lastBubbleBlockId?: unknown } {
  return valueAt(action, "type") === "listenForWebhook";
}

function actionsOf(response: unknown): readonly unknown[] {
  const actions = valueAt(response, "clientSideActions");
  return Array.isArray(actions) ? actions : [];
}
