import type { ProviderMessage } from "../../core/channels/channel.ts";
import type { Loss } from "../../core/channels/pieces.ts";
import type { StepLog } from "../../core/interpreter/program/outcome.ts";
import { limits } from "../../limits/index.ts";
import { newId, shardOf } from "../../platform/ids.ts";
import { connectionTexts } from "../connection-texts.ts";
import type { HeldConnection } from "../held-connection.ts";
import type { OutboundDependencies, OutboundTools } from "./dependencies.ts";
import { createMarks } from "./marks.sql.ts";
import { type ConnectionPace, createConnectionPace } from "./pace.ts";
import { type RenderedStep, renderStep } from "./render-step.ts";
import { listSaidSteps, queueSendings, type SaidStep } from "./rendering.sql.ts";
import { type Sent, sendHead } from "./send.ts";
import { type Head, listHeads } from "./sendings.sql.ts";
import { createShownFlows } from "./shown-flows.ts";
import { type Draft, type DraftOutcome, showDraft, showSign } from "./signs.ts";

export type Outbound = {
  /**
   * Renders the saved steps of a connection, and sends the due messages of each contact in order, until none is due.
   * Returns the milliseconds until the next call is due, or undefined if no message waits. A call during a run makes
   * the run check for messages again.
   */
  run(held: HeldConnection): Promise<number | undefined>;
  /** Shows a sign, such as "typing". Failures are ignored and not retried. */
  sign(held: HeldConnection, contactId: string, message: ProviderMessage): void;
  /**
   * Shows unsaved text as a draft. A draft is not shown while messages to the contact wait, because they would appear
   * below the draft. Messages wait until a draft has been sent or `ended` aborts it.
   */
  draft(held: HeldConnection, draft: Draft): Promise<DraftOutcome>;
};

type Run = {
  readonly pace: ConnectionPace;
  /** Running sends, by contact. */
  readonly active: Map<string, Promise<void>>;
  /**
   * The ids of messages that are being sent. `active` does not show this for a message that a merge has moved to
   * another contact.
   */
  readonly underWay: Set<string>;
  /** Contacts that wait after a failure, with the time at which the wait ends. */
  readonly waiting: Map<string, number>;
  /** Contacts who saw a sign of a step that is not rendered yet. The step's first message needs no pause. */
  readonly signed: Set<string>;
  /** The time at which the typing sign was last shown while a message waits, by contact. */
  readonly typing: Map<string, number>;
  /** Drafts that are being sent, by contact. */
  readonly drafts: Map<string, Promise<unknown>>;
  pausedUntil: number;
  isAsked: boolean;
  wake: () => void;
  running: Promise<number | undefined> | undefined;
};

const stepsAtOnce = 100;

/** Sends the messages of bots on the connections that this process holds. */
export function createOutbound(deps: OutboundDependencies): Outbound {
  const tools: OutboundTools = { ...deps, marks: createMarks(deps), shownFlows: createShownFlows(deps.sql) };
  // When a connection is taken again, it is a new object and has a new rate limit.
  const runs = new WeakMap<HeldConnection, Run>();
  const runOf = (held: HeldConnection): Run => {
    const known = runs.get(held);
    if (known) return known;
    const made: Run = {
      pace: createConnectionPace(held.channel, deps.clock),
      active: new Map(),
      underWay: new Set(),
      waiting: new Map(),
      signed: new Set(),
      typing: new Map(),
      drafts: new Map(),
      pausedUntil: 0,
      isAsked: false,
      wake: () => {},
      running: undefined,
    };
    runs.set(held, made);
    return made;
  };
  return {
    run(held) {
      const run = runOf(held);
      run.isAsked = true;
      run.wake();
      run.running ??= runConnection(tools, held, run).finally(() => {
        run.running = undefined;
      });
      return run.running;
    },
    sign(held, contactId, message) {
      if (!held.mayAct()) return;
      if (isTyping(held, message)) runOf(held).signed.add(contactId);
      sign(deps, held, contactId, message);
    },
    async draft(held, draft) {
      const run = runOf(held);
      const { contactId } = draft;
      if (!held.mayAct() || run.active.has(contactId) || !run.pace.takeDraft()) return "passed";
      run.signed.add(contactId);
      const shown = showDraft(deps, held, draft).catch((error: unknown): DraftOutcome => {
        deps.log.debug("a draft was not shown", { channel: held.channel.type, cause: error });
        return "passed";
      });
      run.drafts.set(contactId, shown);
      return await shown.finally(() => run.drafts.delete(contactId));
    },
  };
}

/**
 * Whether a sign shows that the bot is typing. Another sign, for example, ends the waiting state of a pressed button.
 */
function isTyping({ channel }: HeldConnection, message: ProviderMessage): boolean {
  return Bun.deepEquals(channel.signs.typing?.(), message);
}

function sign(deps: OutboundDependencies, held: HeldConnection, contactId: string, message: ProviderMessage): void {
  showSign(deps, held, { contactId, message }).catch((error: unknown) => {
    deps.log.debug("a typing indicator was not shown", { channel: held.channel.type, cause: error });
  });
}

async function runConnection(deps: OutboundTools, held: HeldConnection, run: Run): Promise<number | undefined> {
  const { clock } = deps;
  for (;;) {
    run.isAsked = false;
    await renderSaid(deps, held, run);
    // The list of due messages does not contain contacts whose messages are being sent.
    const isSending = run.active.size > 0;
    const { waitMs, isWhole } = held.mayAct() ? await startContacts(deps, held, run) : { isWhole: true };
    const until = waitMs === undefined ? Number.POSITIVE_INFINITY : clock.now() + waitMs;
    while (!run.isAsked && run.active.size > 0) {
      await nextEvent(deps, run, until);
      if (isSending || !isWhole || clock.now() >= until) run.isAsked = true;
    }
    if (run.isAsked || (isSending && held.mayAct())) continue;
    return waitMs === undefined ? undefined : Math.ceil(Math.max(0, until - clock.now()));
  }
}

/** Waits until a contact's messages are sent, new messages must be rendered, or another contact's message is due. */
async function nextEvent({ clock }: OutboundTools, run: Run, until: number): Promise<void> {
  const woken = Promise.withResolvers<void>();
  run.wake = woken.resolve;
  const stopTimer = Number.isFinite(until)
    ? clock.startTimer(Math.max(0, until - clock.now()), woken.resolve)
    : undefined;
  await Promise.race([woken.promise, ...run.active.values()]);
  stopTimer?.();
  run.wake = () => {};
}

async function renderSaid(deps: OutboundTools, held: HeldConnection, run: Run): Promise<void> {
  const { sql } = deps;
  while (held.mayAct()) {
    const steps = await listSaidSteps(sql, held.id, stepsAtOnce);
    for (const step of steps) {
      if (!held.mayAct()) return;
      await queueStep(deps, held, run, step);
    }
    if (steps.length < stepsAtOnce) return;
  }
}

async function queueStep(deps: OutboundTools, held: HeldConnection, run: Run, step: SaidStep): Promise<void> {
  const { sql, addLogs } = deps;
  const { channel, id: connectionId } = held;
  const { resultId, botId } = step;
  const flow = await deps.shownFlows(step);
  const typing = held.settings["typing"] === false ? undefined : flow?.typing;
  const isSigned = run.signed.delete(step.contactId);
  // The first step of a chat has the revision 1.
  const isImmediate = isSigned || (step.revision === 1 && typing?.isDisabledOnFirstMessage === true);
  const languages = [flow?.language, step.language];
  const rendered = renderOrNothing(deps, held, step, { languages, typing, isImmediate });
  await queueSendings(sql, connectionId, step, rendered?.sendings ?? []);
  const logs = rendered ? logsOf(rendered, channel.name) : [notShown(channel.name)];
  if (logs.length > 0 && resultId !== null && botId !== null) await addLogs({ resultId, botId, logs });
}

/**
 * Renders a step. If rendering fails, the error is logged and undefined is returned, so that the messages of other
 * contacts are not delayed.
 */
function renderOrNothing(
  { log }: OutboundDependencies,
  held: HeldConnection,
  step: SaidStep,
  {
    languages,
    ...pauses
  }: Pick<Parameters<typeof renderStep>[2], "typing" | "isImmediate"> & {
    readonly languages: readonly (string | null | undefined)[];
  },
): RenderedStep | undefined {
  const { channel, settings, id: connectionId } = held;
  const { response, isGroup } = step;
  try {
    return renderStep(channel, response === null ? {} : JSON.parse(response), {
      ...{ texts: connectionTexts(settings, ...languages), isGroup, ...pauses },
      newId: () => newId(shardOf(connectionId)),
    });
  } catch (error) {
    log.error("A step of a chat could not be rendered for a messenger", { error, connection: connectionId });
    return undefined;
  }
}

function notShown(context: string): StepLog {
  return { status: "error", description: "The output of a step could not be shown", context };
}

function logsOf({ losses, leftOut }: RenderedStep, context: string): StepLog[] {
  const logs = losses.flatMap((loss) => logOf(loss, context));
  if (leftOut === 0) return logs;
  const description = `${leftOut} messages of a step were left out, because a step sends at most ${limits.channels.sendingsPerStep} messages`;
  return [...logs, { status: "warning", description, context }];
}

/** Log entries that inform authors of cuts. Blocks that no messenger supports write their own entries. */
const cuts: Readonly<Partial<Record<Loss, string>>> = {
  text_cut: "A text was truncated, because it is longer than the messenger allows",
  title_cut: "A title was truncated, because it is longer than the messenger allows",
  items_left_out: "Choices were left out, because the messenger cannot show so many",
  no_address: "A file without an address was left out",
  unsafe_address: "A link was left out, because it is not a web address",
  unknown_input: "A question was left out, because the messenger does not support its type of input",
};

function logOf(loss: Loss, context: string): StepLog[] {
  const description = cuts[loss];
  return description === undefined ? [] : [{ status: "info", description, context }];
}

/**
 * Starts sending to the contacts whose next message is due. `waitMs`: the time until another contact's message is due
 * or a typing sign must be shown. `isWhole`: whether every contact with a message was either started or included in
 * `waitMs`.
 */
async function startContacts(
  deps: OutboundTools,
  held: HeldConnection,
  run: Run,
): Promise<{ readonly waitMs?: number; readonly isWhole: boolean }> {
  const { sql, clock } = deps;
  const most = limits.channels.sendsAtOnce;
  const limit = limits.channels.headsAtOnce;
  if (run.active.size >= most) return { isWhole: false };
  const heads = await listHeads(sql, held.id, { except: [...run.active.keys()], limit });
  const [first] = heads;
  if (!first) return { isWhole: true };
  const pausedMs = Math.max(run.pausedUntil - clock.now(), first.pausedMs);
  if (pausedMs > 0) return { waitMs: pausedMs, isWhole: true };
  let soonestMs = Number.POSITIVE_INFINITY;
  let isWhole = heads.length < limit;
  for (const head of heads) {
    if (run.underWay.has(head.id)) {
      isWhole = false;
      continue;
    }
    const waitMs = Math.max(head.waitMs, run.pace.waitMs(head), restMs(run, head, clock.now()));
    // A contact for which no slot is free is read again when another contact has finished.
    if (waitMs > 0) soonestMs = Math.min(soonestMs, waitMs, showTyping(deps, held, run, head));
    else if (run.active.size >= most) isWhole = false;
    else begin(deps, held, run, head);
  }
  return { isWhole, ...(Number.isFinite(soonestMs) && { waitMs: soonestMs }) };
}

/**
 * Shows that the bot is typing while a message waits for a short pause. Returns the milliseconds until the sign must be
 * shown again, or infinity if no sign is needed.
 */
function showTyping(deps: OutboundTools, held: HeldConnection, { typing }: Run, head: Head): number {
  const { contactId, delayMs, waitMs } = head;
  const { longestTypingMs, typingAgainMs } = limits.channels;
  const message = held.channel.signs.typing?.();
  const isTyped = delayMs > 0 && waitMs > 0 && waitMs <= longestTypingMs && !head.isOptedOut && !head.isBlocked;
  if (!message || !isTyped || held.settings["typing"] === false) return Number.POSITIVE_INFINITY;
  const now = deps.clock.now();
  const shownMs = now - (typing.get(contactId) ?? Number.NEGATIVE_INFINITY);
  if (shownMs < typingAgainMs) return typingAgainMs - shownMs;
  typing.set(contactId, now);
  sign(deps, held, contactId, message);
  return typingAgainMs;
}

/**
 * Returns the remaining milliseconds for which a contact waits after a failure of this process or its database. No row
 * records this wait.
 */
function restMs({ waiting }: Run, { contactId }: Head, now: number): number {
  const until = waiting.get(contactId) ?? now;
  if (until <= now) waiting.delete(contactId);
  return until - now;
}

function begin(deps: OutboundTools, held: HeldConnection, run: Run, head: Head): void {
  const { contactId } = head;
  run.pace.take(head);
  run.typing.delete(contactId);
  run.active.set(
    contactId,
    sendInOrder(deps, held, run, head)
      .then((isDone) => {
        if (!isDone) run.isAsked = true;
      })
      .catch((error: unknown) => {
        deps.log.warn("messages of a messenger could not be sent", { channel: held.channel.type, cause: error });
        run.waiting.set(contactId, deps.clock.now() + limits.channels.failedRunMs);
        run.isAsked = true;
      })
      .finally(() => run.active.delete(contactId)),
  );
}

/** Sends a contact's messages in order while they are due. Returns whether all messages are sent. */
async function sendInOrder(deps: OutboundTools, held: HeldConnection, run: Run, first: Head): Promise<boolean> {
  const { clock, sql } = deps;
  await run.drafts.get(first.contactId);
  let head = first;
  for (;;) {
    const { id } = head;
    run.underWay.add(id);
    const sent: Sent = await sendHead(deps, held, head).finally(() => run.underWay.delete(id));
    if (sent.kind === "connectionWaits") run.pausedUntil = clock.now() + sent.ms;
    if (sent.kind !== "next") return false;
    const [next] = await listHeads(sql, held.id, { only: head.contactId, limit: 1 });
    if (!next) return true;
    if (run.underWay.has(next.id)) return false;
    const waitMs = Math.max(next.waitMs, run.pace.waitMs(next), run.pausedUntil - clock.now());
    if (waitMs > 0) return false;
    run.pace.take(next);
    head = next;
  }
}
