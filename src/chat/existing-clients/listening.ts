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
 * Finds responses (JSON text) that may contain an input that only Parley's own clients support. Most responses contain
 * none and need no parsing.
 */
const ownInput = new RegExp(`"type":"(?:${ownTypes.join("|")})"`);

/** Rewrites a response (JSON text) so that existing clients support its input. */
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

/** How often the webhook call is checked for while a report is held open. */
const pollMs = 1_000;

/** How many steps are searched for the listening step. Only commands can follow this step. */
const searchedSteps = 10;

/**
 * Existing clients listen for a webhook call on a socket of another service, by default a third party's service.
 * Parley's responses instead make the client report immediately, with a text that names the listening step. The report
 * is held open until the call arrives, and is answered with the resulting step.
 */
const reportPattern = /parley-listening-(\d{1,9})/;

/**
 * Rewrites a response for an existing client. The response contains only inputs that the client supports. Instead of
 * listening on a socket, the client sends a report, which is held open.
 */
export function withReport(response: string, revision: number): string {
  const known = withKnownInput(response);
  if (!mayListen(known)) return known;
  return JSON.stringify(addReports(JSON.parse(known), revision));
}

/** Whether a response (JSON text) may contain an action to listen. Most responses do not and need no parsing. */
export function mayListen(response: string): boolean {
  return response.includes('"listenForWebhook"');
}

/**
 * Rewrites the response of a session's latest step if an existing client started the session. If the client must wait
 * for a webhook call, the response makes it send a report. Most responses are returned synchronously and unchanged.
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

/** Returns the revision of the step that a report from `withReport` names, or undefined for any other message. */
export function listeningRevision(message: unknown): number | undefined {
  const text = typeof message === "string" ? message : valueAt(message, "text");
  const revision = typeof text === "string" ? reportPattern.exec(text)?.[1] : undefined;
  return revision === undefined ? undefined : Number(revision);
}

export type Listening = {
  readonly sessionId: string;
  readonly revision: number;
  readonly origins: Origins;
  /** Aborted when the client disconnects, which ends the wait. */
  readonly signal: AbortSignal;
};

/**
 * Waits until a webhook call continues the session at the listening step, and returns the response of the resulting
 * step. After a timeout, the response asks the client to report again. Returns undefined if no existing client started
 * the session, or if the named step does not listen; the message is then an ordinary reply.
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

/** Returns a response without messages that makes the client report again. */
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
 * Creates the action that makes a client report. If the page forbids scripts, clients send the script's text instead of
 * its result. The text also contains the report.
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
