import { at, flagAt, isObject, listAt, numberAt, textAt } from "../conversation/read.ts";
import type { Remembering } from "../conversation/settings.ts";
import type { Message, PendingMessage } from "../conversation/step.ts";
import { forgetStored, tryStorage } from "./storage.ts";

/** A chat as stored in the browser. */
export type Remembered = {
  readonly sessionId: string;
  readonly resultId: string | null;
  /** The values from the URLs of the chat's pages (`actions/redirect.tsx`). */
  readonly addressed?: readonly string[];
  /**
   * The last message, or the start of the chat, until it is answered. After a reload, it is sent again with its key, if
   * the session still has `after` steps and has not ended.
   */
  readonly pending?: PendingMessage & { readonly after: number };
};

export type Memory = Omit<ReturnType<typeof createMemory>, "key"> & {
  /** The storage key for this bot's chats, or undefined if chats are not stored. */
  readonly key: string | undefined;
};

/**
 * Stores a chat in the page's history entry, which a reload and the back button restore but a new visit does not. If
 * the bot remembers its visitors, the chat is also stored in the browser. If no storage is available, only the history
 * entry is used.
 */
export function createMemory(publicId: string, remembering: Remembering) {
  const key = `parley-chat-${publicId}`;
  forgetStored(key, remembering);
  const keep = (remembered: Remembered | undefined): void => {
    const before = isObject(history.state) ? history.state : {};
    history.replaceState({ ...before, [key]: remembered }, "");
    if (remembering !== "nowhere") storeIn(remembering, key, remembered);
  };
  return {
    key,
    read: () =>
      readRemembered(at(history.state, key)) ?? (remembering === "nowhere" ? undefined : storedIn(remembering, key)),
    write: (remembered: Remembered) => keep(remembered),
    forget: () => keep(undefined),
    /** Whether unsent text may be stored in the browser. */
    keepsDrafts: () => true,
  };
}

type Where = Exclude<Remembering, "nowhere">;

/** Stores a chat in a storage of the browser. Undefined removes the stored chat. */
export function storeIn(where: Where, key: string, remembered: Remembered | undefined): void {
  tryStorage(where, (storage) =>
    remembered ? storage.setItem(key, JSON.stringify(remembered)) : storage.removeItem(key),
  );
}

export function storedIn(where: Where, key: string): Remembered | undefined {
  return readRemembered(parse(tryStorage(where, (storage) => storage.getItem(key)) ?? ""));
}

/** Reads a stored chat from parsed JSON. Returns undefined if the JSON contains no session id. */
function readRemembered(value: unknown): Remembered | undefined {
  const sessionId = textAt(value, "sessionId");
  if (sessionId === undefined) return undefined;
  const key = textAt(value, "pending", "key");
  const after = numberAt(value, "pending", "after");
  const message = at(value, "pending", "message");
  const afterRevision = numberAt(value, "pending", "afterRevision");
  const isAgain = flagAt(value, "pending", "isAgain");
  const pending =
    key === undefined || after === undefined
      ? undefined
      : { message: isMessage(message) ? message : null, key, after, afterRevision, isAgain };
  const addressed = listAt(value, "addressed").map(String);
  return { sessionId, resultId: textAt(value, "resultId") ?? null, addressed, ...(pending && { pending }) };
}

/** Whether a value is a message. This check is sufficient, because the page itself stored the value. */
function isMessage(value: unknown): value is Message {
  return isObject(value) && typeof value["type"] === "string";
}

/** Parses JSON. Returns undefined for invalid JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
