import type { Random } from "../language/random.ts";
import type { ScriptOutcome, ScriptRequest } from "../language/script.ts";
import type { TemplateContext } from "../language/template.ts";
import type { ChatContact } from "./contact.ts";
import type { Job } from "./job.ts";
import type { Program } from "./program.ts";
import type { Variables } from "./variables.ts";

/** The part of a step that blocks can access. */
export type View = {
  /** The time of the step in milliseconds since the epoch, which is the same for all blocks of the step. */
  readonly now: number;
  readonly random: Random;
  /** False in previews, which have no result. */
  readonly isLive: boolean;
  readonly resultId: string | null;
  /** The messenger contact for whom the step runs. Contacts have no browser. Absent on the web. */
  readonly contact?: ChatContact | undefined;
  readonly program: Program;
  readonly variables: Variables;
  /** The answers of the running flow by their names: see `answerKeysOf`. */
  readonly answers: ReadonlyMap<string, string>;
  readonly templates: TemplateContext;
  /**
   * Like `templates`, for texts that only a called server reads. In these texts, secrets are rendered as tokens. In all
   * other texts, secrets are empty.
   */
  readonly requestTemplates: TemplateContext;
  /** The format of text bubbles in this step's response. */
  readonly contentFormat: ContentFormat;
  /** Whether the variable stores a model's answer that the client can display as an answer. */
  isAnswerVariable(variableId: string): boolean;
  /** Whether blocks of this type display content to the visitor. */
  isShown(type: string): boolean;
  /** Whether this text consists only of a reference to a model's answer and must be rendered as an answer. */
  isAnswer(text: string): boolean;
  /** Whether the visitor's client can render an answer while the answer is streamed. */
  readonly isStreamEnabled: boolean;
  /** Whether the client renders the answer with which this step starts. */
  readonly isStreamed: boolean;
  /** Renders a template with this flow's variables. An absent template yields "". */
  text(template: string | undefined): string;
  /** Calls `renderDeep` with this flow's variables. */
  deep(value: unknown): unknown;
  /** Runs code in the sandbox within the step's remaining budget for scripts. */
  runScript(request: ScriptCall): ScriptOutcome;
  /** The reply and the messages of this step so far, for transcripts, and the step's jobs. */
  readonly soFar: {
    readonly reply: string | null;
    readonly messages: readonly unknown[];
    readonly jobs: readonly Job[];
  };
};

export type ContentFormat = "richText" | "markdown";

/** A script as requested by a block. The step adds the clock, seed and budget. */
export type ScriptCall = Omit<ScriptRequest, "now" | "seed" | "maxTicks">;
