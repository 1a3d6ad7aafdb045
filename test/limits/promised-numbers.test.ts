import { expect, test } from "bun:test";
import { limits } from "../../src/limits/index.ts";

// Promises to callers, visitors and authors, in numbers. Most tests use the constants as bounds, and would not notice a
// wrong constant. This test does.

const kB = 1_024;
const MB = 1_024 * kB;
const { idempotency, request, flow, reply, session, step, timers, earlyCalls, outgoing, sheets, fields, lists } =
  limits;

test.each([
  ["characters in the shortest key of a start", idempotency.startKeyMinCharacters, 16],
  ["characters in the longest key of a request", idempotency.keyCharacters, 255],
  ["hours for which a response is stored under its key", idempotency.hours, 24],
  ["bytes in a request of a chat", request.chatBodyBytes, 256 * kB],
  ["bytes in a management request", request.managementBodyBytes, 10 * MB],
  ["bytes in a call that a chat waits for", request.webhookBodyBytes, 60 * kB],
  ["bytes in a reply", reply.bytes, 64 * kB],
  ["groups in a flow", flow.groups, 2_000],
  ["blocks in a flow", flow.blocks, 10_000],
  ["bytes in a flow of an anonymous preview", flow.anonymousBytes, MB],
  ["bytes in a flow that a preview request contains", flow.suppliedBytes, 5 * MB],
  ["bytes in the variables of a session", session.variablesBytes, MB],
  ["minutes until a session without messages expires", session.lifetimeMinutes, 24 * 60],
  ["minutes until the session of a remembered visitor expires", session.rememberedLifetimeMinutes, 30 * 24 * 60],
  ["requests that wait for one session", session.queue, 8],
  ["milliseconds that a request waits for its session", session.waitMs, 30_000],
  ["blocks that one step runs", step.blocks, 10_000],
  ["effects of one step", step.effects, 100],
  ["milliseconds for all effects of a step", step.effectsMs, 240_000],
  ["milliseconds of computing time in a step", step.threadMs, 30_000],
  ["bytes of memory for a script", step.scriptMemoryBytes, 32 * MB],
  ["seconds in the longest timer", timers.longestSeconds, 2_592_000],
  ["hours for which a due step is retried", timers.triedHours, 24],
  ["calls that arrive before their chat waits", earlyCalls.perChat, 10],
  ["seconds for which an early call is retried", earlyCalls.seconds, 60],
  ["seconds until a request without its own time limit times out", outgoing.httpSeconds, 10],
  ["seconds in the longest time limit of a request", outgoing.maxHttpSeconds, 120],
  ["rows in a searched sheet", sheets.rows, 50_000],
  ["columns in a searched sheet", sheets.columns, 200],
  ["characters in a cell", sheets.cellCharacters, 50_000],
  ["characters in a public id", fields.publicIdCharacters, 255],
  ["results in a page", lists.resultsPageSize, 100],
])('the limit "%s" is %p', (_, limit, promised) => {
  expect(limit).toBe(promised);
});
