import { Type } from "@sinclair/typebox";
import type { FetchInit, RecordedFetch } from "../../interpreter/language/script.ts";
import type { Report } from "../../interpreter/program/effect.ts";
import type { Outcome } from "../../interpreter/program/outcome.ts";
import { readKnown } from "../../interpreter/schemas/schema.ts";

/** The schema of the responses to a script's fetches, as stored in a memo. */
export const fetchedSchema = Type.Array(
  Type.Union([Type.Object({ body: Type.String() }), Type.Object({ error: Type.String() })]),
);

/**
 * A script restarts from its beginning after each `fetch`, with all responses received so far. The script makes the
 * same calls again because its clock and seed do not change. Earlier responses are stored in the effect's memo.
 */
const memoSchema = Type.Object({ fetched: fetchedSchema });

/** Requests a fetch for a script. `fetched` contains the responses to the script's earlier fetches. */
export function fetchForScript(
  call: { readonly url: string; readonly init: FetchInit },
  fetched: readonly RecordedFetch[],
): Outcome {
  return { kind: "perform", effect: { kind: "fetch", url: call.url, init: call.init }, memo: { fetched } };
}

/** Returns all responses so far: the responses in the memo, followed by the response in the report. */
export function fetchedAnswers(report: Report, memo: unknown): RecordedFetch[] {
  const before = readKnown(memoSchema, memo)?.fetched ?? [];
  return [...before, fetchedAnswer(report)];
}

/** Converts a fetch report to the response that the script receives. */
export function fetchedAnswer(report: Report): RecordedFetch {
  if (report.kind === "fetch") return report.answer;
  return { error: report.kind === "refused" ? report.reason : "The call was not made" };
}
