/**
 * The contract between the pure core and the script sandbox. The core never runs code of an author by itself: it is
 * handed a synchronous `RunScript` and gets everything back as data. Equal requests give equal outcomes.
 */

/** A value that a script sees or gives back: JSON values, `undefined`, and what JSON cannot say (Date, bigint, NaN). */
export type ScriptValue = unknown;

/** One answer of the network that an earlier run of the same script asked for, in the order of asking. */
export type RecordedFetch = { readonly body: string } | { readonly error: string };

export type ScriptRequest = {
  /** The code, with every `{{Name}}` already replaced by the variable's id. */
  readonly source: string;
  /** `async`: body of an async sloppy function (scripts, expressions). `sync`: body of a plain function. */
  readonly form: "async" | "sync";
  /** Globals by name, in order; later ones win. */
  readonly globals: readonly (readonly [name: string, value: ScriptValue])[];
  /** Whether `setVariable` and `fetch` exist (they do not in inline code and mappings). */
  readonly offersHostFunctions: boolean;
  /** Answers for the first calls of `fetch`; the call after the last one ends the run with `kind: "fetch"`. */
  readonly fetched: readonly RecordedFetch[];
  /** The step's time in milliseconds since the epoch: what the script's clock shows. */
  readonly now: number;
  /** Seed of `Math.random`, 32 hexadecimal digits. */
  readonly seed: string;
  /**
   * Ticks that this run may use: loop turns and calls inside the engine, its own work included. A second has about
   * 400 million; never more than 2^32.
   */
  readonly maxTicks: number;
};

/** How a script error is reported in logs and in error variables. */
export type ScriptError = { readonly context?: string; readonly description: string; readonly details?: string };

export type ScriptOutcome = { readonly ticks: number } & (
  | {
      readonly kind: "returned";
      readonly value: ScriptValue;
      readonly assignments: readonly (readonly [string, ScriptValue])[];
    }
  | { readonly kind: "failed"; readonly error: ScriptError }
  /** Out of ticks: the step decides whether that is its end or the script's failure. */
  | { readonly kind: "timeout"; readonly error: ScriptError }
  /** The script asked for the network and has no recorded answer: perform the call and run it again. */
  | { readonly kind: "fetch"; readonly url: string; readonly init: FetchInit }
);

export type FetchInit = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type RunScript = (request: ScriptRequest) => ScriptOutcome;
