import type { Memory } from "../browser/memory.ts";
import { asRefused, createTransport, Refused, type Transport, type Trouble } from "../browser/transport.ts";
import { readBot } from "../conversation/bot.ts";
import { type ChatSnapshot, type Message, newKey, readSession, readStart } from "../conversation/step.ts";

type ConnectionOptions = {
  readonly base: string;
  readonly publicId: string;
  /** Aborted when the chat is removed from the page. After that, neither responses nor failures reach the chat. */
  readonly signal: AbortSignal;
  onTrouble(trouble: Trouble | undefined): void;
  /** Called with every message that is sent. */
  onMessageSent(message: Message): void;
};

/** Creates the connection of an embedded chat. */
export function connect({ base, publicId, signal, onTrouble, onMessageSent }: ConnectionOptions) {
  const reportTrouble = (trouble: Trouble | undefined): void => {
    if (!signal.aborted) onTrouble(trouble);
  };
  const direct = createTransport({ base, publicId }, reportTrouble);
  let prefetchedStart: Promise<unknown> | undefined;
  let prefetchedSession: Promise<unknown> | undefined;

  /**
   * Returns the outcome of a request, but never settles after the chat has been removed from the page. Requests that
   * were sent still reach the service.
   */
  const unlessAborted = async <Result>(request: Promise<Result>): Promise<Result> => {
    const [outcome] = await Promise.allSettled([request]);
    if (signal.aborted) await new Promise<never>(() => {});
    if (outcome.status === "fulfilled") return outcome.value;
    throw outcome.reason;
  };
  const prefetchedOr = (prefetched: Promise<unknown> | undefined, send: () => Promise<unknown>): Promise<unknown> =>
    unlessAborted(prefetched ?? (signal.aborted ? Promise.resolve() : send()));

  const transport: Transport = {
    ...direct,
    start(body, key, onStream) {
      const prefetched = prefetchedStart;
      prefetchedStart = undefined;
      return prefetchedOr(prefetched, () => direct.start(body, key, onStream));
    },
    read(sessionId) {
      const prefetched = prefetchedSession;
      prefetchedSession = undefined;
      return prefetchedOr(prefetched, () => direct.read(sessionId));
    },
    once(sessionId, act, init) {
      const gone = new AbortController();
      for (const one of [signal, init.signal]) one.addEventListener("abort", () => gone.abort(), { once: true });
      return unlessAborted(direct.once(sessionId, act, { ...init, signal: gone.signal }));
    },
    goBack: (...asked) => prefetchedOr(undefined, () => direct.goBack(...asked)),
    say(sessionId, sent, onStream) {
      onMessageSent(sent.message);
      return prefetchedOr(undefined, () => direct.say(sessionId, sent, onStream));
    },
  };
  return {
    transport,
    /** Whether `prefetch` found a chat to resume. */
    isResumed: () => prefetchedSession !== undefined,
    /**
     * Sends the chat's first request before the chat exists, because the response contains its theme and language. The
     * chat's own first request then uses this response.
     */
    async prefetch(memory: Memory, startBody: object): Promise<ChatSnapshot> {
      const remembered = memory.read();
      if (remembered) {
        const reading = direct.read(remembered.sessionId);
        const snapshot = await unlessAborted(reading).then(readSession, asRefused);
        if (!(snapshot instanceof Refused)) {
          prefetchedSession = reading;
          return snapshot;
        }
        memory.forget();
      }
      const resultId = remembered?.resultId ?? null;
      prefetchedStart = direct.start({ ...startBody, ...(resultId !== null && { resultId }) }, newKey());
      return unlessAborted(prefetchedStart).then(readStart, (error: unknown) => {
        const { code, message } = asRefused(error);
        // The chat's own start is rejected with the same error and shows it. The message of a closed bot is contained
        // only in the error, so it is passed on.
        const systemMessages = code === "bot.closed" ? { botClosed: message } : {};
        const bot = readBot({ settings: { general: { systemMessages } } });
        return { sessionId: null, resultId: null, isEnded: false, bot, steps: [], revision: undefined };
      });
    },
  };
}
