import type { Memory } from "../browser/memory.ts";
import { asRefused, createTransport, Refused, type Transport, type Trouble } from "../browser/transport.ts";
import { readBot } from "../conversation/bot.ts";
import { type ChatSnapshot, type Message, readSession, readStart } from "../conversation/step.ts";

export type ConnectionOptions = {
  readonly base: string;
  readonly publicId: string;
  /** Aborted when the chat leaves the page: nothing is told to it any more. */
  readonly signal: AbortSignal;
  onTrouble(trouble: Trouble | undefined): void;
  /** Hears what the visitor says. */
  onSaid(message: Message): void;
};

/** The connection of an embedded chat. */
export type Connection = {
  readonly transport: Transport;
  /**
   * The first request of the chat, before there is one: how a chat looks and speaks is known only from its answer. The chat's
   * own first request then gets this answer.
   */
  lookAhead(memory: Memory, startBody: object): Promise<ChatSnapshot>;
  /** Whether `lookAhead` found a chat to go on with. */
  isResumed(): boolean;
};

export function connect({ base, publicId, signal, onTrouble, onSaid }: ConnectionOptions): Connection {
  const tell = (trouble: Trouble | undefined): void => {
    if (!signal.aborted) onTrouble(trouble);
  };
  const whole = createTransport({ base, publicId, framedBy: undefined }, tell);
  let started: Promise<unknown> | undefined;
  let read: Promise<unknown> | undefined;

  /** A chat that has left the page hears of nothing any more; what it said still arrives. */
  const heard = async <Result>(asked: Promise<Result>): Promise<Result> => {
    const [outcome] = await Promise.allSettled([asked]);
    if (signal.aborted) await new Promise<never>(() => {});
    if (outcome.status === "fulfilled") return outcome.value;
    throw outcome.reason;
  };
  const once = (kept: Promise<unknown> | undefined, ask: () => Promise<unknown>): Promise<unknown> =>
    heard(kept ?? (signal.aborted ? Promise.resolve() : ask()));

  const transport: Transport = {
    ...whole,
    start(body, key) {
      const kept = started;
      started = undefined;
      return once(kept, () => whole.start(body, key));
    },
    read(sessionId) {
      const kept = read;
      read = undefined;
      return once(kept, () => whole.read(sessionId));
    },
    say(sessionId, message, key) {
      onSaid(message);
      return once(undefined, () => whole.say(sessionId, message, key));
    },
  };
  return {
    transport,
    isResumed: () => read !== undefined,
    async lookAhead(memory, startBody) {
      const remembered = memory.read();
      if (remembered) {
        const reading = whole.read(remembered.sessionId);
        const told = await heard(reading).then(readSession, asRefused);
        if (!(told instanceof Refused)) {
          read = reading;
          return told;
        }
        memory.forget();
      }
      const resultId = remembered?.resultId ?? null;
      started = whole.start({ ...startBody, ...(resultId !== null && { resultId }) }, crypto.randomUUID());
      return heard(started).then(readStart, (error: unknown) => {
        const { code, message } = asRefused(error);
        // The chat asks once more, is refused in the same way, and says so. A closed bot tells its sentence for that by its error alone.
        const systemMessages = code === "bot.closed" ? { botClosed: message } : {};
        const bot = readBot({ settings: { general: { systemMessages } } });
        return { sessionId: null, resultId: null, isEnded: false, bot, steps: [] };
      });
    },
  };
}
