/**
 * The contract between the pure core and the sandbox. The core receives a synchronous `RunScript`, whose arguments and
 * results are plain data. Equal requests produce equal outcomes.
 */

/**
 * A value that is passed to a script or returned by a script: JSON, `undefined`, Date, bigint, NaN and similar values.
 */
export type ScriptValue = unknown;

/** The recorded response or failure of a `fetch` in an earlier run of the same script. */
export type RecordedFetch = { readonly body: string } | { readonly error: string };

export type ScriptRequest = {
  /** The code, with every `{{Name}}` already replaced by the variable's identifier. */
  readonly source: string;
  /**
   * Whether `source` is the body of an async function (scripts and expressions) or of a synchronous function. Neither
   * runs in strict mode.
   */
  readonly form: "async" | "sync";
  /** If several values have the same name, the last value is used. */
  readonly globals: readonly (readonly [name: string, value: ScriptValue])[];
  /** Whether `setVariable` and `fetch` are available. Neither is available in inline code and mappings. */
  readonly offersHostFunctions: boolean;
  /** Responses to the first calls of `fetch`, in order. The next `fetch` ends the run with `kind: "fetch"`. */
  readonly fetched: readonly RecordedFetch[];
  /** The script's clock: the time of the step in milliseconds since the epoch. */
  readonly now: number;
  /** The seed of `Math.random`, as 32 hexadecimal digits. */
  readonly seed: string;
  /**
   * The maximum number of loop iterations and internal calls for this run, at most 2^32. The engine executes about 400
   * million per second.
   */
  readonly maxTicks: number;
};

/** An error in the format of logs and error variables. */
export type ScriptError = { readonly context?: string; readonly description: string; readonly details?: string };

export type ScriptOutcome = { readonly ticks: number } & (
  | {
      readonly kind: "returned";
      readonly value: ScriptValue;
      readonly assignments: readonly (readonly [string, ScriptValue])[];
    }
  /** `line` is the line of the error in the source, counted from 1, if the engine reports it. */
  | { readonly kind: "failed"; readonly error: ScriptError; readonly line?: number }
  /** The run has used all its ticks. The caller decides whether only the script or the whole step has failed. */
  | { readonly kind: "timeout"; readonly error: ScriptError }
  /**
   * The script called `fetch` without a recorded response. The caller must perform the call and run the script again
   * with the response.
   */
  | { readonly kind: "fetch"; readonly url: string; readonly init: FetchInit }
);

export type FetchInit = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type RunScript = (request: ScriptRequest) => ScriptOutcome;
