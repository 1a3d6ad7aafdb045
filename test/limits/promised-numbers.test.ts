import { expect, test } from "bun:test";
import { limits } from "../../src/limits/index.ts";

// Promises to callers, visitors and authors, in numbers. Most tests use the constants as bounds, and would not notice a
// wrong constant. This test does.

const kB = 1_024;
const MB = 1_024 * kB;
const { idempotency, request, flow, reply, session, step, timers, earlyCalls, outgoing, sheets, fields, lists } =
  limits;

test.each([
  ["the shortest key of a start", idempotency.startKeyMinCharacters, 16],
  ["the longest key of a request", idempotency.keyCharacters, 255],
  ["hours in which a key's answer is given again", idempotency.hours, 24],
  ["bytes of a chat's request", request.chatBodyBytes, 256 * kB],
  ["bytes of a request of the management", request.managementBodyBytes, 10 * MB],
  ["bytes of a call that a chat waits for", request.webhookBodyBytes, 60 * kB],
  ["bytes of a reply", reply.bytes, 64 * kB],
  ["groups of a flow", flow.groups, 2_000],
  ["blocks of a flow", flow.blocks, 10_000],
  ["bytes of a flow that anybody previews", flow.anonymousBytes, MB],
  ["bytes of a flow that is sent with a preview", flow.suppliedBytes, 5 * MB],
  ["bytes of a session's variables", session.variablesBytes, MB],
  ["minutes of a session without a message", session.lifetimeMinutes, 24 * 60],
  ["minutes of a session of a visitor who is remembered", session.rememberedLifetimeMinutes, 30 * 24 * 60],
  ["requests that wait for one session", session.queue, 8],
  ["milliseconds that they wait", session.waitMs, 30_000],
  ["blocks that one step walks", step.blocks, 10_000],
  ["effects of one step", step.effects, 100],
  ["milliseconds of all waits of a step", step.effectsMs, 240_000],
  ["milliseconds of a step's own time", step.threadMs, 30_000],
  ["bytes of a script", step.scriptMemoryBytes, 32 * MB],
  ["seconds of the longest timer", timers.longestSeconds, 2_592_000],
  ["hours in which a due step is tried again", timers.triedHours, 24],
  ["calls that come before their chat waits", earlyCalls.perChat, 10],
  ["seconds for which such a call is tried", earlyCalls.seconds, 60],
  ["seconds of a request without a time of its own", outgoing.httpSeconds, 10],
  ["seconds of the slowest request", outgoing.maxHttpSeconds, 120],
  ["rows of a sheet that is searched", sheets.rows, 50_000],
  ["columns of such a sheet", sheets.columns, 200],
  ["characters of a cell", sheets.cellCharacters, 50_000],
  ["characters of a public id", fields.publicIdCharacters, 255],
  ["entries of a page of results", lists.resultsPageSize, 100],
])("%s: %p", (_, limit, promised) => {
  expect(limit).toBe(promised);
});
