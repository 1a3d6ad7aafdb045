import { isJsonObject, textAt, valueAt } from "../interpreter/flow.ts";
import type { Effect } from "../interpreter/program/effect.ts";
import { mailsOf } from "../interpreter/program/job.ts";
import type { SessionState } from "../interpreter/program/state.ts";
import type { FinishedStep } from "../tasks/messages.ts";

/** A summary of a step in terms that authors know. Each member is described in `schema.ts`. */
export type Said = ReturnType<typeof describeStep>;

/** The reason why a step was rejected. A rejected step does not change the chat. */
type Refused = { readonly code: string; readonly data: unknown };

export function describeStep(step: Summed, effects: readonly Effect[], refused: Refused | null = null) {
  const response: unknown = JSON.parse(step.response);
  const result = step.results.at(-1);
  const progress = valueAt(response, "progress");
  return {
    ...describeResponse(response),
    shows: ownMessages(response).map(shown),
    actions: listAt(response, "clientSideActions"),
    logs: step.logs.map(({ forAuthors: _, textInsteadAt: __, reason: ___, blockId: ____, ...log }) => log),
    progress: typeof progress === "number" ? Math.round(progress * 100) / 100 : -1,
    ends: step.isEnded,
    answers: step.answers.map((answer) => answer.content),
    variables: Object.fromEntries(variablesOf(result).map(({ name, value }) => [name, value])),
    isCompleted: result?.isCompleted ?? false,
    lastMessageNewFormat: textAt(response, "lastMessageNewFormat") ?? null,
    visitedEdges: step.visitedEdgeIds,
    response,
    results: step.results.map(({ inStep: _, isNew: __, ...each }) => ({ ...each, variables: variablesOf(each) })),
    mails: mailsOf(step.jobs).map(({ subject }) => subject),
    effects,
    messages: listAt(response, "messages"),
    files: step.answers.map((answer) => answer.attachedFileUrls),
    answerList: answersOf(step.state),
    refused,
  };
}

export function describeRefusal(refused: Refused, effects: readonly Effect[]): Said {
  return describeStep(silence, effects, refused);
}

/** Returns the bubbles, the input and the choices of a response. */
export function describeResponse(response: unknown) {
  return {
    shows: listAt(response, "messages").map(shown),
    asks: textAt(response, "input", "type") ?? null,
    choices: listAt(response, "input", "items").map(
      (item) => valueAt(item, "content") ?? valueAt(item, "title") ?? null,
    ),
    input: valueAt(response, "input") ?? null,
  };
}

/**
 * Returns the messages of the step itself. The messages before them repeat earlier steps that the visitor's page had
 * not received.
 */
function ownMessages(response: unknown): readonly unknown[] {
  const repeated = valueAt(response, "repeated", "messages");
  return listAt(response, "messages").slice(typeof repeated === "number" ? repeated : 0);
}

type Summed = Pick<
  FinishedStep,
  "response" | "results" | "logs" | "isEnded" | "answers" | "visitedEdgeIds" | "jobs" | "state"
>;

const silence: Summed = {
  ...{ response: "null", state: "", isEnded: false },
  ...{ results: [], logs: [], answers: [], visitedEdgeIds: [], jobs: [] },
};

/** Returns the list at a path of a response, or an empty list if the value is not a list. */
export function listAt(response: unknown, ...path: readonly string[]): readonly unknown[] {
  const value = valueAt(response, ...path);
  return Array.isArray(value) ? value : [];
}

function variablesOf(result: FinishedStep["results"][number] | undefined): { name: string; value: unknown }[] {
  return JSON.parse(result?.variables ?? "[]");
}

function answersOf(stored: string): readonly (readonly [string, string])[] {
  if (stored === "") return [];
  const state: SessionState = JSON.parse(stored);
  return state.queue[0]?.answers ?? [];
}

function shown(message: unknown): unknown {
  const content = valueAt(message, "content");
  if (!isJsonObject(content)) return content;
  return content["plainText"] ?? content["markdown"] ?? content["url"] ?? content;
}
