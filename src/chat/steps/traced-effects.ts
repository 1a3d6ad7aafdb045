import { withSecretNames } from "../../core/interpreter/language/secret-tokens.ts";
import type { CallFailure } from "../../core/interpreter/program/call.ts";
import type { Effect, Report } from "../../core/interpreter/program/effect.ts";
import type { ModelFailure } from "../../core/interpreter/program/model.ts";
import type { StepTrace } from "../../core/interpreter/program/trace.ts";
import { limits } from "../../limits/index.ts";
import type { Clock } from "../../platform/concurrency/clock.ts";
import type { Performed, WantedEffect } from "./run-step.ts";

/**
 * The trace of an effect. The trace contains no headers or bodies, and shows the names of secrets instead of their
 * values.
 */
type EffectFacts = {
  readonly effect: Effect["kind"];
  readonly address?: string;
  readonly method?: string;
  readonly model?: string;
  readonly status?: number;
  readonly milliseconds: number;
  /** Why the effect failed. */
  readonly failure?: string;
};

/** Records the effects of a preview's step for its trace, if the step is traced. */
export function traceEffects(clock: Pick<Clock, "now">, perform: (wanted: WantedEffect) => Promise<Performed<never>>) {
  const facts: EffectFacts[] = [];
  return {
    async performEffect(wanted: WantedEffect): Promise<Performed<never>> {
      const begun = clock.now();
      const performed = await perform(wanted);
      const milliseconds = Math.round(clock.now() - begun);
      if ("report" in performed) facts.push({ ...askedFor(wanted.effect), ...cameOf(performed.report), milliseconds });
      return performed;
    },
    /**
     * Returns the trace as JSON text, in its stored form. The effects in the trace have the order in which they were
     * performed.
     */
    textOf({ entries, ...trace }: StepTrace): string {
      let next = 0;
      const traced = entries.map((entry) => (entry.kind === "effect" ? { ...entry, ...facts[next++] } : entry));
      return JSON.stringify({ ...trace, entries: traced });
    },
  };
}

function askedFor(effect: Effect): Omit<EffectFacts, "milliseconds"> {
  const { kind } = effect;
  switch (kind) {
    case "http":
      return { effect: kind, method: effect.method, address: shownAddress(effect.url) };
    case "fetch":
      return { effect: kind, method: (effect.init.method ?? "GET").slice(0, 20), address: shownAddress(effect.url) };
    case "model":
    case "speech":
    case "transcription":
      return {
        ...{ effect: kind, model: shown(effect.model) },
        ...(effect.baseUrl !== undefined && { address: shownAddress(effect.baseUrl) }),
      };
    case "call": {
      const { method, path } = effect.request;
      return { effect: kind, method, address: shown(`${effect.credentialsType} ${path}`) };
    }
    case "sheet":
      return { effect: kind, address: shown(effect.spreadsheetId), method: effect.act.kind };
    case "gmail":
    case "linkedFlow":
    case "qrCode":
    case "suggestion":
    case "transcript":
    case "callbackAddress":
    case "userToken":
    case "payment":
    case "paymentCheck":
    case "paymentCancel":
      return { effect: kind };
    default:
      return effect satisfies never;
  }
}

function cameOf(report: Report): Pick<EffectFacts, "status" | "failure"> {
  switch (report.kind) {
    case "http": {
      const failure = "error" in report ? Object.values(report.error).join(" ") : undefined;
      return { status: report.statusCode, ...(failure !== undefined && { failure: shown(failure) }) };
    }
    case "fetch":
      return "error" in report.answer ? { failure: shown(report.answer.error) } : {};
    case "model":
    case "speech":
    case "transcription":
    case "sheet":
    case "qrCode":
    case "gmail":
      return "failure" in report ? failureFacts(report.failure) : {};
    case "call":
      if ("failure" in report) return failureFacts(report.failure);
      return { status: report.status, ...(report.sentence !== undefined && { failure: shown(report.sentence) }) };
    case "refused":
      return { failure: shown(report.reason) };
    case "linkedFlow":
      return report.program === null ? { failure: "There is no such bot" } : {};
    case "suggestion":
    case "transcript":
    case "callbackAddress":
    case "userToken":
    case "payment":
    case "paymentCheck":
    case "paymentCancel":
      return {};
    default:
      return report satisfies never;
  }
}

function failureFacts({
  reason,
  status,
  details,
}: ModelFailure | CallFailure): Pick<EffectFacts, "status" | "failure"> {
  const failure = shown(details === undefined ? reason : `${reason}: ${details}`);
  return { failure, ...(status !== undefined && { status }) };
}

/** Returns a URL without its user name and password, and with names in place of secrets. */
function shownAddress(address: string): string {
  const named = withSecretNames(address);
  const parsed = URL.parse(named);
  if (!parsed || (parsed.username === "" && parsed.password === "")) return shown(named);
  return shown(named.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, "$1"));
}

function shown(text: string): string {
  return withSecretNames(text).slice(0, limits.traces.valueCharacters).toWellFormed();
}
