import { textAt } from "../../core/interpreter/flow.ts";
import { limits } from "../../limits/index.ts";
import { requestOf } from "../callbacks/pass-call.ts";
import type { DueKind } from "./kind.ts";

/** A call from outside that came before its chat waits for it. The step is the one that the call would have taken, also for its key. */
export const call: DueKind = {
  reply: ({ content }) => requestOf(textAt(content, "message") ?? "").reply,
  isAwaited: ({ content }, { blockId }) => blockId === textAt(content, "blockId"),
  keyed({ content }) {
    const key = textAt(content, "key");
    return key === undefined ? undefined : { key, hash: requestOf(textAt(content, "message") ?? "").hash };
  },
  triedSeconds: limits.earlyCalls.seconds,
  dropped: ({ content }) => ({
    status: "error",
    context: "Wait for a call",
    description: `A call came too early: within ${limits.earlyCalls.seconds} seconds the chat did not wait for it at its block`,
    blockId: textAt(content, "blockId") ?? "",
  }),
};
