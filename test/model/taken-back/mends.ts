/** A fix for the interaction of two features, and the changes that revert it. */
export type Mend = {
  /** The fixed fault. */
  readonly fault: string;
  readonly model: "chats" | "publications";
  readonly changes: readonly Change[];
};

/** A text that occurs once in its file, and its replacement. */
export type Change = { readonly path: string; readonly was: string; readonly becomes: string };

/** Fixes of the most serious faults for which the models were written. Each model must find its own faults. */
export const mends: readonly Mend[] = [
  {
    fault: "a payment of an earlier visit pays for the open visit",
    model: "chats",
    changes: [
      {
        path: "src/effects/payment.ts",
        was: "!covers(intent, moneyOf(wanted)) || (!isOfVisit && !isSameCharge(opened.payment, wanted));",
        becomes: "!covers(intent, moneyOf(own));",
      },
      {
        path: "src/effects/payment.ts",
        was: "const due = asked ?? moneyOf(payment);",
        becomes: "const due = moneyOf(payment);",
      },
      {
        path: "src/chat/go-back.ts",
        was: "if (!target || target.payments.length === 0) return undefined;",
        becomes: "if (!target || target.payments.length >= 0) return undefined;",
      },
    ],
  },
  {
    fault: "an unavailable provider ends the chat",
    model: "chats",
    changes: [
      {
        path: "src/core/blocks/inputs/payment-input.ts",
        was: `if (report.kind === "refused" && report.isAway) {
      return {`,
        becomes: `if (report.kind === "refused" && report.isAway && view === undefined) {
      return {`,
      },
      {
        path: "src/core/blocks/inputs/payment-input.ts",
        was: `if (report.kind === "refused" && report.isAway) {
      // The visitor`,
        becomes: `if (report.kind === "refused" && report.isAway && view === undefined) {
      // The visitor`,
      },
    ],
  },
  {
    fault: "the time limit of a question after a slow call expires early",
    model: "chats",
    changes: [
      {
        path: "src/core/interpreter/step/timers.ts",
        was: "const due = askedAt(step.context) + ",
        becomes: "const due = step.context.now + ",
      },
      {
        path: "src/chat/saves/timers.sql.ts",
        was: `  in_seconds: double(({ timer }) => wholeSeconds(timer)),
});

/**
 * Returns the part of a save that writes`,
        becomes: `  in_seconds: double(({ timer }) => (timer?.open?.due ?? 0) / 1_000),
});

/**
 * Returns the part of a save that writes`,
      },
      {
        path: "src/chat/saves/timers.sql.ts",
        was: "clock() + (clock_timestamp() - statement_timestamp()) + make_interval(secs => b.in_seconds)",
        becomes: "to_timestamp(b.in_seconds)",
      },
    ],
  },
  {
    fault: "a deploy of one bot reverts the rollback of another bot",
    model: "publications",
    changes: [
      {
        path: "src/commands/deploy/live.ts",
        was: "if (options.forceLive?.includes(folder)) return",
        becomes: "if (options.publish) return",
      },
    ],
  },
  {
    fault: "a backup of an earlier release cannot be restored",
    model: "publications",
    changes: [
      {
        path: "src/platform/backup/restore.ts",
        was: "  const end = await fillTables(",
        becomes: "  await resumeWork(transaction);\n  const end = await fillTables(",
      },
    ],
  },
  {
    fault: "the reply of an older tab answers a question that the tab never showed",
    model: "chats",
    changes: [
      {
        path: "src/chat/steps/take-step.ts",
        was: "if (afterRevision !== undefined && afterRevision !== session.revision)",
        becomes: "if (afterRevision !== undefined && afterRevision !== session.revision && session.isExpired)",
      },
    ],
  },
  {
    fault: "an answer counts for the question of another version than the page shows",
    model: "chats",
    changes: [
      {
        path: "src/web/server/form/post-form.ts",
        was: "isAsShown: shown === undefined || shown.digest === digestOf(step)",
        becomes: 'isAsShown: shown === undefined || digestOf(step) !== ""',
      },
    ],
  },
  {
    fault: "two chats of one result overwrite each other's variables",
    model: "chats",
    changes: [
      {
        path: "src/chat/saves/save-steps.sql.ts",
        was: 'beside === "alone" ? sql`r.writer_session_id = s.id` : sql`false`',
        becomes: 'beside === "alone" ? sql`true` : sql`false`',
      },
    ],
  },
  {
    fault: "a call reaches another chat of the result than the chat that returned the address",
    model: "chats",
    changes: [
      {
        path: "src/chat/callbacks/pass-call.ts",
        was: "return named && (named.revision > 1 || isAt(named.state, blockId)) ? [named] : open;",
        becomes: "return named && blockId === sessionId ? [named] : open;",
      },
    ],
  },
  {
    fault: "going back forgets a call that was received",
    model: "chats",
    changes: [
      {
        path: "src/chat/go-back.ts",
        was: "keptCalls: calls, movingTo",
        becomes: "keptCalls: calls.slice(0, 0), movingTo",
      },
    ],
  },
];
