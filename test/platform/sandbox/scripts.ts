import type { RunScript, ScriptOutcome, ScriptRequest } from "../../../src/core/interpreter/language/script.ts";

/** Runs the body of an author's script. The request defaults to a plain request. */
export type Run = (source: string, request?: Partial<ScriptRequest>) => ScriptOutcome;

export function runnerOf(sandbox: RunScript): Run {
  return (source, request) => sandbox({ ...plainRequest, source, ...request });
}

/** Returns the result of a script. Throws if the script failed, or if it requests a call. */
export function resultOf(outcome: ScriptOutcome): unknown {
  if (outcome.kind === "returned") return outcome.value;
  throw new Error(outcome.kind === "fetch" ? `It asks for ${outcome.url}` : outcome.error.description);
}

/** Returns the description of a script's error, or undefined if the script did not fail. */
export function errorOf(outcome: ScriptOutcome): string | undefined {
  return outcome.kind === "failed" || outcome.kind === "timeout" ? outcome.error.description : undefined;
}

export const plainRequest: ScriptRequest = {
  source: "",
  form: "async",
  globals: [],
  offersHostFunctions: true,
  fetched: [],
  now: Date.UTC(2026, 10, 20, 9, 38, 30, 123),
  seed: "0123456789abcdef0123456789abcdef",
  maxTicks: 400_000_000,
};
