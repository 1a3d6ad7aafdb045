import { signal } from "@preact/signals";
import type { DraftDocument } from "../../../core/editing/changes/change.ts";
import { noCounts } from "../../../core/lint/counts.ts";
import { createCommentSigns } from "../editor/comment-signs.ts";
import { createEditor } from "../editor/editor.ts";
import type { OpenBot } from "../editor/open.ts";
import type { StoredBot } from "../editor/service.ts";
import type { Transport } from "../editor/working-copy/transport.ts";

/** Returns a read-only flow in the form of an open bot, so that the components for drafts can show it. */
export function readOnlyBot(bot: StoredBot, draft: DraftDocument): OpenBot {
  const editor = createEditor({
    opened: { revision: 0, draft },
    clock: { now: () => 0, startTimer: () => () => {} },
    transport: nowhere,
    mode: "read",
  });
  return {
    id: bot.id,
    bot: signal(bot),
    mode: "read",
    editor,
    live: {
      ...{ present: signal([]), isElsewhere: signal(false) },
      ...{ moveTo: () => {}, note: () => {}, noteText: () => {}, wake: () => {}, close: () => {} },
    },
    findings: {
      ...{ all: signal(undefined), counts: signal(noCounts), byThing: signal(new Map()) },
      ...{ noteDrawn: () => {}, isDrawn: () => false, fix: async () => [] },
      note: () => {},
      close: () => {},
    },
    comments: createCommentSigns(),
    isNotKept: signal(false),
    rename: async () => {},
    refresh: async () => {},
    close: async () => editor.close(),
  };
}

const nowhere: Transport = {
  send: async () => ({ kind: "stopped", why: "forbidden" }),
  log: async () => ({ kind: "stopped", why: "forbidden" }),
  draft: async () => ({ kind: "stopped", why: "forbidden" }),
};
