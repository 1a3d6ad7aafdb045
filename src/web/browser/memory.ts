import { at, isObject, listAt, numberAt, textAt } from "../conversation/read.ts";
import type { Remembering } from "../conversation/settings.ts";
import type { Message } from "../conversation/step.ts";

/** The browser's memory of a chat. */
export type Remembered = {
  readonly sessionId: string;
  readonly resultId: string | null;
  /** The values from the addresses of its pages (`actions/from-address.ts`). */
  readonly addressed?: readonly string[];
  /** The last message, until it has been answered: sent again with its key, unless the session has more steps than `after`. */
  readonly pending?: { readonly message: Message; readonly key: string; readonly after: number };
};

export type Memory = {
  read(): Remembered | undefined;
  write(remembered: Remembered): void;
  forget(): void;
  /** Whether what is typed and not sent may be kept in the browser. */
  keepsDrafts(): boolean;
};

/**
 * Remembers a chat in the page's history entry, which a reload and the back button restore and a new visit does not; and, where
 * the bot remembers its visitors, in the browser's storage. Without a storage the history entry is all there is.
 */
export function createMemory(publicId: string, remembering: Remembering): Memory {
  const key = `parley-chat-${publicId}`;
  const storage = (): Storage | undefined => {
    try {
      return remembering === "nowhere" ? undefined : remembering === "local" ? localStorage : sessionStorage;
    } catch {
      // Some browsers deny storage to frames of other sites.
      return undefined;
    }
  };
  const keep = (remembered: Remembered | undefined): void => {
    const before = isObject(history.state) ? history.state : {};
    history.replaceState({ ...before, [key]: remembered }, "");
    try {
      if (remembered) storage()?.setItem(key, JSON.stringify(remembered));
      else storage()?.removeItem(key);
    } catch {
      // Full, or switched off: the history's entry still has it.
    }
  };
  return {
    read: () => readRemembered(at(history.state, key)) ?? readRemembered(parse(storage()?.getItem(key) ?? "")),
    write: keep,
    forget: () => keep(undefined),
    keepsDrafts: () => true,
  };
}

/** Reads what was stored, already parsed. */
export function readRemembered(value: unknown): Remembered | undefined {
  const sessionId = textAt(value, "sessionId");
  if (sessionId === undefined) return undefined;
  const key = textAt(value, "pending", "key");
  const after = numberAt(value, "pending", "after");
  const message = at(value, "pending", "message");
  const pending =
    key === undefined || after === undefined ? undefined : { message: isMessage(message) ? message : null, key, after };
  const addressed = listAt(value, "addressed").map(String);
  return { sessionId, resultId: textAt(value, "resultId") ?? null, addressed, ...(pending && { pending }) };
}

/** Enough of a check: the page itself stored the message. */
function isMessage(value: unknown): value is Message {
  return isObject(value) && typeof value["type"] === "string";
}

/** Reads JSON; undefined where it is none. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
