import type { Random } from "../language/random.ts";
import type { ScriptOutcome, ScriptRequest } from "../language/script.ts";
import type { TemplateContext } from "../language/template.ts";
import type { ChatContact } from "./contact.ts";
import type { Job } from "./job.ts";
import type { Program } from "./program.ts";
import type { Variables } from "./variables.ts";

/** The part of a step that its blocks may see. */
export type View = {
  /** Milliseconds since the epoch: the time of the step, the same for all of its blocks. */
  readonly now: number;
  readonly random: Random;
  /** False in previews, which have no result. */
  readonly isLive: boolean;
  readonly resultId: string | null;
  /** The contact of a messenger for whom the step is taken: contacts have no browser. Absent on the web. */
  readonly contact?: ChatContact | undefined;
  readonly program: Program;
  readonly variables: Variables;
  /** Answers in the running flow by `answerKey`. */
  readonly answers: ReadonlyMap<string, string>;
  readonly templates: TemplateContext;
  /**
   * Like `templates`, for texts that only a called server reads: in these texts secrets are tokens, in others empty.
   */
  readonly requestTemplates: TemplateContext;
  /** The format of text bubbles in this step's response. */
  readonly contentFormat: ContentFormat;
  /** Whether a model's text in this variable is read as an answer. */
  isAnswerVariable(variableId: string): boolean;
  /** Whether blocks of this type show the visitor something by themselves. */
  isShown(type: string): boolean;
  /** Whether this text is only a reference to an answer of a model, and must be read as an answer. */
  isAnswer(text: string): boolean;
  /** Whether the visitor's client can draw an answer while it is streamed, if requested. */
  readonly isStreamEnabled: boolean;
  /** Whether the client draws the answer that this step begins with. */
  readonly isStreamed: boolean;
  /** `render` with this flow's variables; an absent template gives "". */
  text(template: string | undefined): string;
  /** `renderDeep` with this flow's variables. */
  deep(value: unknown): unknown;
  /** Runs the author's code within the rest of the step's budget. */
  runScript(request: ScriptCall): ScriptOutcome;
  /** The messages of this step so far, for transcripts, and its jobs. */
  readonly soFar: {
    readonly reply: string | null;
    readonly messages: readonly unknown[];
    readonly jobs: readonly Job[];
  };
};

export type ContentFormat = "richText" | "markdown";

/** A script as a block asks for it; the step adds its clock, seed and budget. */
export type ScriptCall = Omit<ScriptRequest, "now" | "seed" | "maxTicks">;
