import type { ContentPlace } from "../../platform/http/requests/request-keys.ts";
import { isId } from "../../platform/ids.ts";
import type { Shown } from "./idempotency.ts";

type Request = Pick<Shown, "right"> & {
  readonly params: unknown;
  readonly body: unknown;
  /** The bot, if neither the path nor `bot` in the answer names one. */
  findBot(): Promise<string | undefined> | undefined;
};

/**
 * Whose content the answer to a request has, for the answer that is kept for its key. `noteAnswer` gets the answer
 * before it is written as JSON.
 */
export function shownContent({ right, params, body, findBot }: Request): Shown & { noteAnswer(answer: unknown): void } {
  let answer: unknown;
  return {
    right,
    place: { botId: idAt(params, "botId"), workspaceId: idAt(params, "workspaceId") ?? idAt(body, "workspaceId") },
    noteAnswer(given) {
      answer = given;
    },
    async placeOf() {
      const bot: unknown = Object(answer).bot;
      const botId = idAt(bot, "id") ?? (await findBot()) ?? null;
      return botId === null ? undefined : { botId, workspaceId: idAt(bot, "workspaceId") };
    },
  };
}

function idAt(value: unknown, key: keyof ContentPlace | "id"): string | null {
  const id: unknown = Object(value)[key];
  return typeof id === "string" && isId(id) ? id : null;
}
