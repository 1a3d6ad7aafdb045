import type { Job } from "./job.ts";
import type { Program } from "./program.ts";
import type { Random } from "./random.ts";
import type { ScriptOutcome, ScriptRequest } from "./script.ts";
import type { TemplateContext } from "./template.ts";
import type { Variables } from "./variables.ts";

/** What a block may see of the step that runs it. */
export type View = {
  /** Milliseconds since the epoch: the step's time, the same for all of its blocks. */
  readonly now: number;
  readonly random: Random;
  /** Live chats have a result; previews store nothing. */
  readonly isLive: boolean;
  readonly resultId: string | null;
  readonly program: Program;
  readonly variables: Variables;
  /** What visitors answered in the running flow, by key: one per variable or unnamed input. */
  readonly answers: ReadonlyMap<string, string>;
  readonly templates: TemplateContext;
  /** How text bubbles are shaped in this step's response. */
  readonly contentFormat: ContentFormat;
  /** `T(text)`: variables and inline code replaced; absent gives the empty text. */
  text(template: string | undefined): string;
  /** `DT(value)`: every text of nested objects templated. */
  deep(value: unknown): unknown;
  /** Runs code of the author within what is left of the step's budget. */
  runScript(request: ScriptCall): ScriptOutcome;
  /** What the visitor saw and said in this step so far, for transcripts, and what will be done after it. */
  readonly soFar: {
    readonly reply: string | null;
    readonly messages: readonly unknown[];
    readonly jobs: readonly Job[];
  };
};

export type ContentFormat = "richText" | "markdown";

/** A script as a block asks for it; the step adds its clock, chance and budget. */
export type ScriptCall = Omit<ScriptRequest, "now" | "seed" | "maxTicks">;
