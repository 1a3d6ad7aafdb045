import type { Report } from "../interpreter/effect.ts";
import type {
  ModelAnswer,
  ModelEffect,
  ModelFailure,
  ModelTokens,
  SpeechEffect,
  TranscriptionEffect,
} from "../interpreter/model.ts";
import { limits } from "../limits.ts";

/** Where a step's calls of models are counted, and held against budgets. */
export type ModelUse = {
  /** Takes what a call may come to from the budgets; or says whose budget has no room for it. */
  reserve(call: PlannedCall): Promise<ReservedCall | { readonly refusedBy: string }>;
};

export type PlannedCall = {
  /** Of its credentials. */
  readonly type: string;
  readonly model: string;
  /** The most that it may come to, as far as anybody knows before. */
  readonly tokens: { readonly in: number; readonly out: number };
};

export type ReservedCall = {
  /** Puts what it came to in the place of that. */
  settle(call: FinishedCall): Promise<void>;
};

export type FinishedCall = {
  /** How its answer ended, or why there is none. */
  readonly ended: ModelAnswer["ended"] | ModelFailure["reason"];
  /** False where nothing was sent. */
  readonly isMade: boolean;
  /** Null where there is no answer. */
  readonly tokens: ModelTokens | null;
  readonly tries: number;
  readonly firstTextMs: number | null;
  readonly durationMs: number;
  /** What was sent and answered, as data: without keys that anybody knows, and without what files hold. */
  readonly request: unknown;
  readonly answer: unknown;
  /** What must not be told of it. */
  readonly keys: readonly string[];
};

/** Is told how a call goes. */
export type CallWatch = {
  /** It is sent to a server of these keys; `asked` where that may be otherwise than it was wanted. */
  tried(keys: readonly string[], asked?: ModelEffect): void;
  /** Some of its text is there. */
  said(): void;
};

type ModelCallEffect = ModelEffect | SpeechEffect | TranscriptionEffect;
type ModelCallReport = Extract<Report, { kind: ModelCallEffect["kind"] }>;

/** Makes a call of a model, or one of speech, where the budgets have room for it. Counts what it came to. */
export async function withinBudgets<Reported extends ModelCallReport>(
  effect: ModelCallEffect,
  { models }: { readonly models?: ModelUse },
  { make, refuse }: { make(watch: CallWatch): Promise<Reported>; refuse(failure: ModelFailure): Reported },
): Promise<Reported> {
  const { credentialsType: type, model } = effect;
  const reserved = await models?.reserve({ type, model, tokens: mostTokens(effect) });
  if (reserved && "refusedBy" in reserved) return refuse({ reason: "budget", details: reserved.refusedBy });
  const watch = createWatch(effect);
  const report = await make(watch);
  const seen = watch.seen();
  await reserved?.settle({ ...seen, ...outcomeOf(effect, report, seen) });
  return report;
}

/** What a call may come to: of an answer whose most tokens nobody says, the most that is usual. */
function mostTokens(effect: ModelCallEffect): PlannedCall["tokens"] {
  const read = Math.ceil(charactersIn(effect) / limits.modelBudgets.charactersPerToken);
  switch (effect.kind) {
    case "model": {
      const { messages, maxTokens = limits.models.tokens } = effect;
      const parts = messages.flatMap((message) => (message.role === "user" ? (message.parts ?? []) : []));
      const files = parts.filter((part) => "address" in part).length;
      return { in: read + limits.modelBudgets.fileTokens * files, out: maxTokens };
    }
    case "speech":
      return { in: read, out: 0 };
    case "transcription":
      return { in: read, out: limits.modelBudgets.fileTokens };
    default:
      return effect satisfies never;
  }
}

/** What a provider reads of a call. */
function charactersIn(effect: ModelCallEffect): number {
  switch (effect.kind) {
    case "model": {
      const { messages, tools, output, responses } = effect;
      const said = messages.reduce((sum, message) => sum + charactersOf(message), 0);
      return [tools, output, responses].reduce((sum, part) => sum + (part ? JSON.stringify(part).length : 0), said);
    }
    case "speech":
      return effect.input.length + (effect.instructions?.length ?? 0);
    case "transcription":
      return effect.prompt?.length ?? 0;
    default:
      return effect satisfies never;
  }
}

function charactersOf(message: ModelEffect["messages"][number]): number {
  const calls = message.role === "assistant" ? (message.calls ?? []) : [];
  return calls.reduce((sum, call) => sum + (call.arguments?.length ?? 0), message.content.length);
}

function createWatch(effect: ModelCallEffect): CallWatch & { seen(): Seen } {
  const startedAt = performance.now();
  const since = (): number => Math.round(performance.now() - startedAt);
  let asked: ModelCallEffect = effect;
  let tries = 0;
  let firstTextMs: number | null = null;
  let keys: readonly string[] = [];
  return {
    tried(known, one) {
      asked = one ?? asked;
      keys = known;
      tries++;
    },
    said() {
      firstTextMs ??= since();
    },
    seen: () => ({ tries, firstTextMs, durationMs: since(), request: requestOf(asked), keys }),
  };
}

type Seen = Pick<FinishedCall, "tries" | "firstTextMs" | "durationMs" | "request" | "keys">;

/** What is told of a request: not where and with which credentials it was made. */
function requestOf(effect: ModelCallEffect): unknown {
  switch (effect.kind) {
    case "model": {
      const { model, messages, tools, mayCallTools, output, responses, temperature, maxTokens } = effect;
      return { model, messages, tools, mayCallTools, output, responses, temperature, maxTokens };
    }
    case "speech": {
      const { model, input, voice, instructions } = effect;
      return { model, input, voice, instructions };
    }
    case "transcription": {
      const { model, address, prompt } = effect;
      return { model, address, prompt };
    }
    default:
      return effect satisfies never;
  }
}

function outcomeOf(
  effect: ModelCallEffect,
  report: ModelCallReport,
  { tries }: Pick<Seen, "tries">,
): Pick<FinishedCall, "ended" | "isMade" | "tokens" | "answer"> {
  if ("failure" in report) {
    const { reason } = report.failure;
    const isMade = !unmade.has(reason) && !(reason === "file" && report.kind === "transcription");
    return {
      ended: reason,
      isMade,
      tokens: billed.has(reason) ? readTokens(effect, tries) : null,
      answer: report.failure,
    };
  }
  switch (report.kind) {
    case "model": {
      const { ended, tokens, text, calls } = report.answer;
      return { ended, isMade: true, tokens, answer: { text, ...(calls && { calls }) } };
    }
    case "speech":
      return { ended: "stop", isMade: true, tokens: estimated(charactersIn(effect), 0), answer: { url: report.url } };
    case "transcription":
      return {
        ended: "stop",
        isMade: true,
        tokens: estimated(0, report.text.length),
        answer: { text: report.text },
      };
    default:
      return report satisfies never;
  }
}

/** Reasons for which nothing is sent. */
const unmade: ReadonlySet<ModelFailure["reason"]> = new Set(["credentials", "address", "busy"]);

/** Reasons for which there is no answer although the provider has read what was sent, and has it paid. */
const billed: ReadonlySet<ModelFailure["reason"]> = new Set(["empty", "unreadable", "withheld", "time"]);

/** Of each try, at a token for four characters. */
function readTokens(effect: ModelCallEffect, tries: number): ModelTokens {
  const { in: one } = estimated(charactersIn(effect), 0);
  return { in: one * tries, cached: 0, out: 0, isEstimated: true };
}

/** Of recordings no provider tells the tokens: four characters are one, as in texts. */
function estimated(read: number, written: number): ModelTokens {
  return { in: Math.ceil(read / 4), cached: 0, out: Math.ceil(written / 4), isEstimated: true };
}
