import { batch, computed, type Signal, signal } from "@preact/signals";
import type { FromFrame, ToFrame } from "../../conversation/preview-protocol.ts";
import { listAt, textAt } from "../../conversation/read.ts";
import { type Message, pauseOf, newKey as randomKey, readStep } from "../../conversation/step.ts";
import { ApiFailure } from "../api/index.ts";
import { type BrowserReply, browserReplyTo } from "./browser-reply.ts";
import type { PreviewService, Starting } from "./service.ts";
import { callsIn, isHarmless, type TracedStep } from "./trace.ts";

/** A chat to show in a frame. A new number creates a new frame. */
export type ShownChat = { readonly number: number; readonly what: "start" | "session"; readonly chat: unknown };

/** An error of a request to the service or of the chat page, which is shown to the author. */
export type Failed = {
  readonly code: string;
  readonly message: string;
  readonly requestId: string | undefined;
  readonly isInBrowser: boolean;
};

/** A request of the frame that the service answers. */
type Asked = Extract<FromFrame, { kind: "say" | "goBack" | "read" }>;

/** An event that continues the chat instead of a reply: the end of a waiting time, or another program's call. */
export type FromOutside =
  | { readonly kind: "time" }
  | { readonly kind: "call"; readonly body: Readonly<Record<string, unknown>> };

/** A reply or an event, and the input that was open. */
export type Given = { readonly inputId: string | undefined } & (
  | { readonly kind: "said"; readonly message: Message }
  | FromOutside
);

export type Run = ReturnType<typeof createRun>;

/**
 * Creates a preview, which has the chat, the trace of its steps, and the replies. A start or a repetition ends the
 * previous chat.
 *
 *     nothing ─ start ─→ starting ─ response ─→ open ─ a reply is sent ─→ busy ─ response or error ─→ open
 *                        starting ─ error ────→ failed
 *     open ─ shown in another frame ─→ open, with the session after the running step
 *     open ─ `again` ─→ starting, then the previous replies, while the flow asks the same questions ─→ open
 */
export function createRun(service: PreviewService, newKey: () => string = randomKey) {
  const state: Signal<"nothing" | "starting" | "open" | "busy" | "failed"> = signal("nothing");
  const shown = signal<ShownChat | undefined>(undefined);
  const steps = signal<readonly TracedStep[]>([]);
  /** The visitor's replies by the revision of the step that each reply started. */
  const replies = signal<ReadonlyMap<number, string>>(new Map());
  /** The replies of the browser instead of the visitor, by the revision of the step that each reply started. */
  const browserReplies = signal<ReadonlyMap<number, BrowserReply>>(new Map());
  /** The events that started steps instead of a reply, by the revision of the step. */
  const cameFromOutside = signal<ReadonlyMap<number, FromOutside["kind"]>>(new Map());
  const failures = signal<readonly Failed[]>([]);
  /** The calls that a repetition would send again, without the harmless ones. */
  const calls = computed(() => callsIn(steps.value).filter((call) => !isHarmless(call)));
  const isEnded = computed(() => steps.value.at(-1)?.isEnded ?? false);
  const given = signal<readonly Given[]>([]);
  /** The response with the last step, or the session. */
  const answer = signal<unknown>(undefined);
  const last = computed(() => readStep(listAt(answer.value, "steps").at(-1) ?? answer.value));
  /** Whether variables were set since the last reply. This creates a step that the frame does not know. */
  let hasOwnStep = false;
  let starting: Starting = { startFrom: undefined, variables: {} };
  let sessionId = "";
  let inputId: string | undefined;
  let turn = 0;
  let stop = new AbortController();
  /** Settles after the last step that a frame requested. */
  let underWay: Promise<void> = Promise.resolve();

  const fail = (error: unknown): ApiFailure => {
    if (!(error instanceof ApiFailure)) throw error;
    const { code, message, requestId } = error;
    failures.value = [...failures.value, { code, message, requestId, isInBrowser: false }];
    return error;
  };
  const lastRevision = (): number => steps.value.at(-1)?.revision ?? 0;
  /** Stores a response, its open input, and the traces of the new steps. */
  const note = async (mine: number, response: unknown): Promise<void> => {
    inputId = textAt(response, "input", "id");
    answer.value = response;
    try {
      const found = await service.trace(sessionId, lastRevision());
      if (mine !== turn) return;
      // The frame may have read the same steps in the meantime.
      const more = found.filter(({ revision }) => revision > lastRevision());
      steps.value = [...steps.value, ...more];
    } catch (error) {
      if (mine === turn) fail(error);
    }
  };
  const begin = async (next: Starting): Promise<{ readonly mine: number; readonly response: unknown } | undefined> => {
    stop.abort();
    stop = new AbortController();
    const mine = ++turn;
    batch(() => {
      state.value = "starting";
      steps.value = [];
      replies.value = new Map();
      browserReplies.value = new Map();
      cameFromOutside.value = new Map();
      failures.value = [];
      given.value = [];
      answer.value = undefined;
    });
    starting = next;
    try {
      const response = await service.start(next, stop.signal);
      if (mine !== turn) return undefined;
      sessionId = textAt(response, "sessionId") ?? "";
      await note(mine, response);
      return mine === turn ? { mine, response } : undefined;
    } catch (error) {
      if (mine !== turn) return undefined;
      fail(error);
      state.value = "failed";
      return undefined;
    }
  };
  const show = (mine: number, what: ShownChat["what"], chat: unknown): void => {
    batch(() => {
      shown.value = { number: mine, what, chat };
      state.value = "open";
    });
  };
  const say = async (mine: number, message: Message, key: string, afterRevision?: number): Promise<unknown> => {
    const before = inputId;
    const revision = lastRevision();
    const ofBrowser = browserReplyTo(last.value, message);
    const response = await service.say(sessionId, message, key, hasOwnStep ? undefined : afterRevision);
    hasOwnStep = false;
    if (mine !== turn) return response;
    given.value = [...given.value, { kind: "said", message, inputId: before }];
    await note(mine, response);
    // The frame may have read the step before its response arrived.
    const first = steps.value.find((step) => step.revision > revision);
    if (mine !== turn || !first) return response;
    if (ofBrowser) browserReplies.value = new Map([...browserReplies.value, [first.revision, ofBrowser]]);
    else replies.value = new Map([...replies.value, [first.revision, wordsOf(message)]]);
    return response;
  };
  const takeFromOutside = async (mine: number, came: FromOutside): Promise<void> => {
    const before = inputId;
    const blockId = steps.value.at(-1)?.waitsAt ?? "";
    if (came.kind === "time") await service.passTime(sessionId);
    else await service.sendCall(blockId, came.body, newKey());
    if (mine !== turn) return;
    given.value = [...given.value, { ...came, inputId: before }];
    const session = await service.read(sessionId);
    if (mine !== turn) return;
    await note(mine, session);
    if (mine === turn) cameFromOutside.value = new Map([...cameFromOutside.value, [lastRevision(), came.kind]]);
  };
  const goBack = async (mine: number, key: string): Promise<unknown> => {
    const response = await service.goBack(sessionId, key);
    if (mine !== turn) return response;
    inputId = textAt(response, "input", "id");
    // Drops the reply to this input and all later replies. If there is no such reply, drops the last one.
    const from = given.value.findLastIndex((one) => one.inputId === inputId);
    given.value = from < 0 ? given.value.slice(0, -1) : given.value.slice(0, from);
    await note(mine, response);
    return response;
  };
  /** Repeats the replies while the flow asks the same questions. Returns the number of repeated replies. */
  const repeat = async (mine: number, wanted: readonly Given[]): Promise<number> => {
    let count = 0;
    for (const one of wanted) {
      if (mine !== turn || isEnded.value || one.inputId !== inputId) break;
      const before = steps.value.at(-1);
      if (one.kind === "said") await say(mine, one.message, newKey());
      else await takeFromOutside(mine, one);
      // The flow repeats its question, so the reply is no longer accepted.
      const isRefused = before?.waitsAt !== null && steps.value.at(-1)?.waitsAt === before?.waitsAt;
      if (isRefused && isAnswer(one)) break;
      count++;
    }
    return count;
  };
  const answerOf = async (mine: number, asked: Asked): Promise<unknown> => {
    switch (asked.kind) {
      case "say":
        return say(mine, asked.message, asked.key, asked.afterRevision);
      case "goBack":
        return goBack(mine, asked.key);
      case "read":
        return service.read(sessionId).then(async (session) => {
          await note(mine, session);
          return session;
        });
      default:
        return asked satisfies never;
    }
  };

  return {
    ...{ state, shown, steps, replies, browserReplies, cameFromOutside, failures, calls, isEnded },
    /** Returns the session's id, and the place and the variables with which the chat was started. */
    walk: () => ({ sessionId, ...starting }),
    isAnswered: computed(() => given.value.some(isAnswer)),
    /** Whether the chat continues by itself after a time. */
    waitsForTime: computed(() => last.value.goesOnAt !== undefined),
    waitsForCall: computed(() => pauseOf(last.value) === "webhook"),
    async start(next: Starting): Promise<void> {
      const begun = await begin(next);
      if (begun) show(begun.mine, "start", begun.response);
    },
    /**
     * Restarts the chat and repeats its replies, or the replies of another chat. Returns the number of repeated
     * replies, which is 0 after an error, and whether all replies were repeated.
     */
    async again(wanted = given.value): Promise<{ readonly count: number; readonly isWhole: boolean }> {
      const begun = await begin(starting);
      if (!begun) return { count: 0, isWhole: false };
      const { mine, response } = begun;
      try {
        const count = await repeat(mine, wanted);
        if (mine !== turn) return { count, isWhole: false };
        if (count === 0) show(mine, "start", response);
        else show(mine, "session", await service.read(sessionId));
        return { count, isWhole: count === wanted.length };
      } catch (error) {
        if (mine === turn) {
          fail(error);
          state.value = "failed";
        }
        return { count: 0, isWhole: false };
      }
    },
    async setVariable(name: string, value: string | readonly string[] | null): Promise<void> {
      const mine = turn;
      await service.set(sessionId, { [name]: value });
      hasOwnStep = true;
      if (mine === turn) await note(mine, answer.value);
    },
    /** Shows the chat in another frame, up to the current step. */
    async goOnHere(): Promise<void> {
      const mine = turn;
      if (shown.value === undefined) return;
      // The shown response may lack later steps, so the session is read again.
      shown.value = undefined;
      await underWay;
      try {
        const session = await service.read(sessionId);
        if (mine === turn) show(mine, "session", session);
      } catch (error) {
        if (mine !== turn) return;
        fail(error);
        state.value = "failed";
      }
    },
    /**
     * Starts the next step with an event. The frame normally polls for the step. During a wait, the frame does not
     * poll, so the chat is shown again.
     */
    async goOn(came: FromOutside): Promise<void> {
      const mine = turn;
      const isAsleep = pauseOf(last.value) === "wait";
      state.value = "busy";
      try {
        await takeFromOutside(mine, came);
        if (mine === turn && isAsleep) show(++turn, "session", answer.value);
      } finally {
        if (mine === turn) state.value = "open";
      }
    },
    /** Handles a message of the frame. Resolves to undefined if the message has no answer. */
    async hear(number: number, asked: FromFrame): Promise<ToFrame | undefined> {
      if (number !== turn) return undefined;
      if (asked.kind === "shown" || asked.kind === "pressed" || asked.kind === "drawn") return undefined;
      // A preview never receives this request.
      if (asked.kind === "document") return undefined;
      if (asked.kind === "log") {
        const { description, details } = asked;
        const message = details === "" ? description : `${description}: ${details}`;
        failures.value = [...failures.value, { code: "", message, requestId: undefined, isInBrowser: true }];
        return undefined;
      }
      if (asked.kind === "start") {
        const begun = await begin(starting);
        if (begun) show(begun.mine, "start", begun.response);
        return undefined;
      }
      const { id } = asked;
      // A page may read at any moment without an action of its visitor, so the author's controls stay enabled.
      const isStep = asked.kind !== "read";
      if (isStep) state.value = "busy";
      try {
        const answering = answerOf(number, asked);
        if (isStep)
          underWay = answering.then(
            () => {},
            () => {},
          );
        return { kind: "answer", id, value: await answering };
      } catch (error) {
        const { code, message } = fail(error);
        return { kind: "refusal", id, code, message };
      } finally {
        if (isStep && number === turn) state.value = "open";
      }
    },
  };
}

/** Whether the reply contains a message of the visitor, or an event. */
function isAnswer(given: Given): boolean {
  return given.kind !== "said" || given.message !== null;
}

/** Returns the visitor's message as text for the list of steps; empty for a step that the page started by itself. */
function wordsOf(message: Message): string {
  if (message === null) return "";
  if (message.type === "text") return message.text;
  return message.type === "audio" ? message.url : `/${message.command}`;
}
