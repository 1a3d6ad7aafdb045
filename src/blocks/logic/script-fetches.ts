import { Type } from "@sinclair/typebox";
import type { Report } from "../../interpreter/effect.ts";
import type { Outcome } from "../../interpreter/outcome.ts";
import { readKnown } from "../../interpreter/schema.ts";
import type { FetchInit, RecordedFetch } from "../../interpreter/script.ts";

/**
 * A script that asks for the network is run again from its beginning, with the answers so far: same time, same chance,
 * so it comes to the same call. The answers travel in the memo of the effect.
 */
const memoSchema = Type.Object({
  fetched: Type.Array(Type.Union([Type.Object({ body: Type.String() }), Type.Object({ error: Type.String() })])),
});

/** Has the call of a script made; `fetched` are the answers of its calls before. */
export function fetchForScript(
  call: { readonly url: string; readonly init: FetchInit },
  fetched: readonly RecordedFetch[],
): Outcome {
  return { kind: "perform", effect: { kind: "fetch", url: call.url, init: call.init }, memo: { fetched } };
}

/** The answers that the script has now: those of the memo, and what came of the last call. */
export function fetchedAnswers(report: Report, memo: unknown): RecordedFetch[] {
  const before = readKnown(memoSchema, memo)?.fetched ?? [];
  return [...before, answerOf(report)];
}

function answerOf(report: Report): RecordedFetch {
  if (report.kind === "fetch") return report.answer;
  return { error: report.kind === "refused" ? report.reason : "The call was not made" };
}
