import { Type } from "@sinclair/typebox";
import type { FetchInit, RecordedFetch } from "../../interpreter/language/script.ts";
import type { Report } from "../../interpreter/program/effect.ts";
import type { Outcome } from "../../interpreter/program/outcome.ts";
import { readKnown } from "../../interpreter/schemas/schema.ts";

/** The answers to the calls of a script so far, in a memo. */
export const fetchedSchema = Type.Array(
  Type.Union([Type.Object({ body: Type.String() }), Type.Object({ error: Type.String() })]),
);

/**
 * After a `fetch` a script runs again from its beginning, with all answers so far. With the same clock and seed it
 * makes the same calls. The effect's memo keeps the earlier answers.
 */
const memoSchema = Type.Object({ fetched: fetchedSchema });

/** Asks for the call. `fetched` are the answers to the calls before it. */
export function fetchForScript(
  call: { readonly url: string; readonly init: FetchInit },
  fetched: readonly RecordedFetch[],
): Outcome {
  return { kind: "perform", effect: { kind: "fetch", url: call.url, init: call.init }, memo: { fetched } };
}

/** All answers so far: the ones in the memo, and the report. */
export function fetchedAnswers(report: Report, memo: unknown): RecordedFetch[] {
  const before = readKnown(memoSchema, memo)?.fetched ?? [];
  return [...before, fetchedAnswer(report)];
}

/** The report of a call, as its script gets it. */
export function fetchedAnswer(report: Report): RecordedFetch {
  if (report.kind === "fetch") return report.answer;
  return { error: report.kind === "refused" ? report.reason : "The call was not made" };
}
