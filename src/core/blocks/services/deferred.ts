import { limits } from "../../../limits/index.ts";
import type { BlockBase } from "../../interpreter/program/block.ts";
import { continueAfter, type Outcome, type StepLog } from "../../interpreter/program/outcome.ts";
import type { View } from "../../interpreter/program/view.ts";
import { logged } from "../logged.ts";
import { missingCredentials } from "../models/call.ts";
import { option, titled } from "../options.ts";

/** A call that a block defers, or the reason why no call can be made. */
type Wanted = { readonly content: Readonly<Record<string, unknown>> } | { readonly problem: string };

/**
 * Defers a call to the service of the block's type, using the workspace's credentials. Calls are made only in live
 * chats.
 */
export function leaveCall(
  block: BlockBase,
  { credentialsId, wanted, name }: { credentialsId: string | undefined; wanted: Wanted; name: string },
  view: View,
): Outcome {
  const { resultId } = view;
  const { type, id: blockId } = block;
  if (!view.isLive || resultId === null) {
    return logged(block, { status: "info", description: `${name} is not called in preview mode` });
  }
  const account = view.text(credentialsId);
  if (account === "") return logged(block, missingCredentials(block));
  const problem = "problem" in wanted ? wanted.problem : problemOf(wanted.content, view);
  if ("problem" in wanted || problem !== undefined) return logged(block, notLeft(name, problem));
  const { content } = wanted;
  const data = { type, credentialsId: account, blockId, content, resultId, botId: view.program.botId };
  return { ...continueAfter(block), jobs: [{ queue: "calls", data }] };
}

function problemOf(content: unknown, view: View): string | undefined {
  if (view.soFar.jobs.filter(({ queue }) => queue === "calls").length >= limits.deferredCalls.perStep) {
    return `A step can make at most ${limits.deferredCalls.perStep} such calls`;
  }
  const isTooLarge = Buffer.byteLength(JSON.stringify(content)) > limits.deferredCalls.bytes;
  return isTooLarge ? `The call is larger than ${limits.deferredCalls.bytes / 1_000} KB` : undefined;
}

function notLeft(name: string, details: string | undefined): StepLog {
  return {
    description: `Event not sent to ${name}`,
    ...(details !== undefined && { details }),
    context: `While sending an event to ${name}`,
  };
}

/** Defines a list of name-value pairs that authors enter. */
export function pairs(title: string, description: string) {
  return {
    ...titled(
      title,
      option.list(description, {
        key: option.text("Name of the value."),
        value: option.text("The value."),
      }),
    ),
    widget: "pairs",
  };
}

/**
 * Converts name-value pairs to an object. Pairs without a name or without a value are skipped. Returns undefined if no
 * pair remains.
 */
export function objectOf(
  given: readonly { readonly key?: string; readonly value?: string }[] | undefined,
  view: View,
): Record<string, string> | undefined {
  const entries = (given ?? []).flatMap(({ key, value }) => {
    const [name, text] = [view.text(key).trim(), view.text(value)];
    return name === "" || text === "" ? [] : [[name, text] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
