import { continueChat } from "../chat/continue-chat.ts";
import { previewChat } from "../chat/preview-chat.ts";
import { findSessionLanguage, listSteps } from "../chat/reads/sessions.sql.ts";
import { requirePreview } from "../chat/session-traces.ts";
import type { ChatDependencies } from "../chat/steps/dependencies.ts";
import type { Act, Channel, ProviderMessage } from "../core/channels/channel.ts";
import { channels, piecesOfSteps } from "../core/channels/index.ts";
import type { Loss } from "../core/channels/pieces.ts";
import { replyTo } from "../core/channels/replies.ts";
import { type Texts, textsOf } from "../core/channels/texts.ts";
import type { Dialect } from "../core/flow/dialect.ts";
import { textAt, valueAt } from "../core/interpreter/flow.ts";
import type { MessageBody } from "../core/interpreter/program/message.ts";
import type { StartOptions } from "../core/interpreter/step/start.ts";
import type { Hops } from "../effects/safe-fetch/hops.ts";
import { AppError } from "../errors.ts";
import { limits } from "../limits/index.ts";
import type { Caller } from "../management/access/access.ts";
import { noOrigins } from "../management/access/origins.ts";
import { isPassedOver, listAt } from "./turns/passed-over.ts";

export type ChannelPreviewRequest = {
  readonly botId: string;
  readonly channel: string;
  /** The preview to continue; undefined starts a new preview. */
  readonly sessionId: string | undefined;
  /** Text that a contact could type, or another form of message, such as a command. */
  readonly message: MessageBody;
  readonly startFrom: StartOptions["startFrom"];
  readonly isGroup: boolean;
  readonly hops: Hops;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  readonly dialect: Dialect;
  readonly address: string | undefined;
  readonly ownAddress: string | undefined;
};

/** The messages that a channel would send. Nothing is sent. */
export type ChannelPreview = {
  readonly sessionId: string;
  readonly messages: (ProviderMessage & { readonly afterSeconds?: number })[];
  /** The action of each button, by the button's token. */
  readonly choices: Record<string, Act>;
  /** Why the contact sees less than a page would show. Contains no duplicates. */
  readonly losses: Loss[];
  /** Whether the chat waits for input from the contact. */
  readonly isWaiting: boolean;
};

/**
 * Runs the next step of a preview of the draft, as for a contact of the channel. Waits that only a browser could end
 * are skipped, as on the channel. Requires permission to read the bot.
 */
export async function previewOnChannel(
  deps: ChatDependencies,
  caller: Caller,
  request: ChannelPreviewRequest,
): Promise<ChannelPreview> {
  const channel = channels.get(request.channel);
  if (!channel) throw new AppError("server.internal");
  const { clock } = deps;
  const end = clock.now() + limits.channels.passedSeconds * 1_000;
  const begun = await (request.sessionId === undefined
    ? start(deps, caller, request)
    : reply(deps, caller, request, channel));
  const { sessionId } = begun;
  const steps = [begun.step];
  const mayGoOn = () => steps.length <= limits.channels.actionsPassed && clock.now() < end && !request.signal.aborted;
  for (let step = begun.step; isPassedOver(step) && mayGoOn(); ) {
    step = stepIn(await continueStep(deps, { sessionId, message: null, hops: request.hops }));
    steps.push(step);
  }
  // The preview belongs to no connection, so its texts have the language of the flow.
  const texts = textsOf(undefined, [await findSessionLanguage(deps.sql, sessionId)]);
  return { sessionId, ...rendered(channel, steps, { texts, isGroup: request.isGroup }) };
}

async function start(deps: ChatDependencies, caller: Caller, request: ChannelPreviewRequest) {
  const { botId, message, startFrom, hops, dialect, address, ownAddress } = request;
  const { response } = await previewChat(deps, caller, {
    ...{ botId, message, startFrom, hops, dialect, address, ownAddress },
    ...{ flow: undefined, isTraced: false, key: null, contentFormat: "richText" },
    ...{ isStreamEnabled: false, isOnlyRegistering: false, prefilledVariables: {} },
  });
  const step = stepIn(response);
  return { step, sessionId: textAt(step, "sessionId") ?? "" };
}

/** Continues a preview with a message. Rejects any session that is not a preview of this bot. */
async function reply(deps: ChatDependencies, caller: Caller, request: ChannelPreviewRequest, channel: Channel) {
  const { sessionId = "", botId, message, hops } = request;
  const session = await requirePreview(deps, caller, sessionId);
  if (session.botId !== botId) throw new AppError("session.not_found");
  if (session.resultId !== null) throw new AppError("session.not_preview");
  const [last] = await listSteps(deps.sql, sessionId, 1);
  caller.place.end();
  const waiting = valueAt(last?.response, "input");
  // A chat that waits for a webhook call would use a contact's text as the call's result. A chat that has ended rejects
  // the text.
  if (waiting === undefined && !session.isEnded && !isCommand(message)) return { sessionId, step: {} };
  const said = typeof message === "string" ? replyTo(message, waiting, channel.capabilities.buttons.title) : message;
  return { sessionId, step: stepIn(await continueStep(deps, { sessionId, message: said, hops })) };
}

async function continueStep(
  deps: ChatDependencies,
  request: { readonly sessionId: string; readonly message: MessageBody; readonly hops: Hops },
): Promise<string> {
  const { response } = await continueChat(deps, {
    ...request,
    contentFormat: "richText",
    key: null,
    origins: noOrigins,
  });
  return response;
}

function isCommand(message: MessageBody): boolean {
  return typeof message === "object" && message?.type === "command";
}

function stepIn(response: string): unknown {
  return JSON.parse(response);
}

function rendered(
  channel: Channel,
  steps: readonly unknown[],
  { texts, isGroup }: { readonly texts: Texts; readonly isGroup: boolean },
): Omit<ChannelPreview, "sessionId"> {
  const pieces = piecesOfSteps(
    steps.map((step) => ({
      messages: listAt(step, "messages"),
      clientSideActions: listAt(step, "clientSideActions"),
      input: valueAt(step, "input"),
    })),
  );
  const messages: ChannelPreview["messages"] = [];
  const choices = new Map<string, Act>();
  const losses = new Set<Loss>();
  let seconds = 0;
  for (const [position, piece] of pieces.entries()) {
    if (piece.kind === "wait") seconds += piece.seconds;
    const token = (index: number) => `${position}.${index}`;
    const made = channel.render(piece, { texts, isGroup, token });
    for (const message of made.messages) {
      messages.push({ ...message, ...(seconds > 0 && { afterSeconds: seconds }) });
      seconds = 0;
    }
    for (const [name, act] of made.acts) choices.set(name, act);
    for (const loss of made.losses) losses.add(loss);
  }
  const isWaiting = valueAt(steps.at(-1), "input") !== undefined;
  return { messages, choices: Object.fromEntries(choices), losses: [...losses], isWaiting };
}
