/**
 * The contract between the pure core and the sandbox: the core gets a synchronous `RunScript`, which takes and returns
 * plain data. Equal requests give equal outcomes.
 */

/** A value that is passed to a script or returned by it: JSON, `undefined`, and also Date, bigint, NaN and the like. */
export type ScriptValue = unknown;

/** The answer to a `fetch` of an earlier run of the same script. */
export type RecordedFetch = { readonly body: string } | { readonly error: string };

export type ScriptRequest = {
  /** The code, in which the variable's name in code has already replaced every `{{Name}}`. */
  readonly source: string;
  /** `source` is the body of an async function (scripts, expressions) or of a plain one; never in strict mode. */
  readonly form: "async" | "sync";
  /** The last of several values with one name wins. */
  readonly globals: readonly (readonly [name: string, value: ScriptValue])[];
  /** Whether `setVariable` and `fetch` exist: they do not in inline code and mappings. */
  readonly offersHostFunctions: boolean;
  /** Answers to the first calls of `fetch`, in order. The next call ends the run with `kind: "fetch"`. */
  readonly fetched: readonly RecordedFetch[];
  /** The script's clock: the step's time, in milliseconds since the epoch. */
  readonly now: number;
  /** Seed of `Math.random`, 32 hexadecimal digits. */
  readonly seed: string;
  /** The most loop turns and calls inside the engine for this run, at most 2^32. A second has about 400 million. */
  readonly maxTicks: number;
};

/** An error as logs and error variables show it. */
export type ScriptError = { readonly context?: string; readonly description: string; readonly details?: string };

export type ScriptOutcome = { readonly ticks: number } & (
  | {
      readonly kind: "returned";
      readonly value: ScriptValue;
      readonly assignments: readonly (readonly [string, ScriptValue])[];
    }
  /** `line` is the failed line of the source, from 1, if the engine reports it. */
  | { readonly kind: "failed"; readonly error: ScriptError; readonly line?: number }
  /** The run has used up its ticks. The caller decides whether the script has failed, or the step. */
  | { readonly kind: "timeout"; readonly error: ScriptError }
  /** The script called `fetch` without a recorded answer: perform the call, and run the script again with it. */
  | { readonly kind: "fetch"; readonly url: string; readonly init: FetchInit }
);

export type FetchInit = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type RunScript = (request: ScriptRequest) => ScriptOutcome;
