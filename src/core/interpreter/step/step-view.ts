import { limits } from "../../../limits/index.ts";
import { answerNames } from "../evaluation/answer-names.ts";
import { type Failure, textInsteadLog } from "../evaluation/code-errors.ts";
import { evaluateInline } from "../evaluation/expression.ts";
import type { ScriptOutcome } from "../language/script.ts";
import { secretNumber, secretToken } from "../language/secret-tokens.ts";
import { render, renderDeep, singleReference, type TemplateContext } from "../language/template.ts";
import type { ScriptCall, View } from "../program/view.ts";
import { StepRefused, StepTooLong } from "../step-errors.ts";
import { spendCharacters } from "./budget.ts";
import { answerText, currentFrame, type Frame, produce, type Step } from "./step.ts";

/** Returns the part of the running flow that blocks can access. A step reuses the view until another flow runs. */
export function viewOf(step: Step): View {
  const frame = currentFrame(step);
  const { view } = step;
  if (view?.variables === frame.variables) return view;
  const made = new StepView(step, frame);
  step.view = made;
  return made;
}

/** This is a class so that unused parts are not created. The blocks of a step seldom use more than `text`. */
class StepView implements View {
  readonly now;
  readonly random;
  readonly isLive;
  readonly resultId;
  readonly contact;
  readonly program;
  readonly variables;
  readonly answers;
  readonly contentFormat;
  readonly isStreamEnabled;
  private readonly step: Step;
  private madeTemplates: TemplateContext | undefined;

  constructor(step: Step, { program, variables, answers, resultId }: Frame) {
    const { context } = step;
    this.now = context.now;
    this.random = step.random;
    this.isLive = context.isLive;
    this.resultId = resultId;
    this.contact = step.contact;
    this.program = program;
    this.variables = variables;
    this.answers = answers;
    this.contentFormat = context.contentFormat;
    this.isStreamEnabled = step.isStreamEnabled;
    this.step = step;
  }

  get templates(): TemplateContext {
    this.madeTemplates ??= templatesOf(this.step, this);
    return this.madeTemplates;
  }

  get requestTemplates(): TemplateContext {
    const { seed } = this.step.context;
    return { ...this.templates, secret: (name) => secretToken(secretNumber(seed), name) };
  }

  isAnswerVariable(variableId: string): boolean {
    const { readsGfm, blocks } = this.step.context;
    return readsGfm === true && answerNames(this.program, blocks).has(this.variables.nameOf(variableId));
  }

  isShown(type: string): boolean {
    const family = this.step.context.blocks.get(type)?.family;
    return family === "bubble" || family === "input";
  }

  isAnswer(text: string): boolean {
    const { readsGfm, contentFormat, blocks } = this.step.context;
    const name = readsGfm && contentFormat === "richText" ? singleReference(text) : undefined;
    return name !== undefined && answerNames(this.program, blocks).has(name);
  }

  get isStreamed(): boolean {
    return this.step.record.isStreamed === true;
  }

  text(template: string | undefined): string {
    return template?.includes("{{") ? render(template, this.templates) : (template ?? "");
  }

  deep(value: unknown): unknown {
    return renderDeep(value, this.templates);
  }

  get runScript() {
    return (call: ScriptCall): ScriptOutcome => runWithinBudget(this.step, call);
  }

  get soFar() {
    const { messages, jobs } = this.step.record;
    return { reply: saidOf(this.step), messages, jobs };
  }
}

function templatesOf(step: Step, { variables, runScript }: View): TemplateContext {
  const spend = (characters: number): void => spendCharacters(step, characters);
  return {
    variables,
    evaluate: (code) =>
      evaluateInline(code, variables, runScript, { spend, onFailure: (failure) => noteInline(step, code, failure) }),
    spend,
    secret: (name) => noteSecret(step, name),
    meter: step.context.meter,
  };
}

/** Logs for the author why a text replaced the value of inline code. */
function noteInline(step: Step, code: string, failure: Failure): void {
  const blockId = step.trail.at(-1) ?? step.blockId;
  const where = { program: currentFrame(step).program, blockId };
  produce(step, { logs: [{ ...textInsteadLog(where, code, failure), context: "Inline code" }] });
}

/** Returns an empty text for a secret in a place where a person could read it, and logs the replacement once. */
function noteSecret(step: Step, name: string): string {
  const details = `{{secret.${name}}}`;
  const description = "A secret is empty here, because only requests, and scripts that send them, get its value";
  const isNoted = step.record.logs.some((log) => log.description === description && log.details === details);
  if (!isNoted) produce(step, { logs: [{ description, details }] });
  return "";
}

/**
 * Runs a script within its own limit and within the limit that all scripts of a step share. Throws `StepRefused` if the
 * shared limit is reached, and `StepTooLong` if the meter's quota is used up.
 */
function runWithinBudget(step: Step, call: ScriptCall): ScriptOutcome {
  const { record, context } = step;
  if (record.ticksLeft <= 0)
    throw new StepRefused("step.over_budget", { limit: "scripts", blockIds: step.trail.slice(-1) });
  const seed = `${context.seed.slice(0, 24)}${(record.scriptsRun >>> 0).toString(16).padStart(8, "0")}`;
  const own = Math.min(limits.step.scriptTicks, record.ticksLeft);
  const maxTicks = Math.min(own, context.meter?.scriptTicksLeft() ?? own);
  if (maxTicks <= 0) throw new StepTooLong();
  const outcome = context.runScript({ ...call, now: context.now, seed, maxTicks });
  // The script was stopped by the meter's quota rather than by its own limit.
  if (outcome.kind === "timeout" && maxTicks < own) throw new StepTooLong();
  // A run that stopped at a `fetch` is not counted, because it is repeated with the response and the same seed, and
  // makes the same call again.
  if (outcome.kind !== "fetch") record.scriptsRun++;
  record.ticksLeft -= outcome.ticks;
  context.meter?.spend("scriptTicks", outcome.ticks);
  return outcome;
}

/**
 * Returns the last reply that answered an input in this step, or null if there is none. Reports of clients and rejected
 * replies are ignored.
 */
function saidOf(step: Step): string | null {
  const answer = step.record.answers.at(-1);
  return answer ? answerText(answer) : null;
}
