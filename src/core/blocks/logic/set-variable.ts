import { Type } from "@sinclair/typebox";
import type { Failure } from "../../interpreter/evaluation/code-errors.ts";
import { textAt, valueAt } from "../../interpreter/flow.ts";
import { parseJsonOr } from "../../interpreter/language/json.ts";
import { untrustedJsonOrText } from "../../interpreter/language/untrusted-json.ts";
import { defineLogic, type MadeValue } from "../../interpreter/program/block.ts";
import { continueAfter, type Outcome } from "../../interpreter/program/outcome.ts";
import type { View } from "../../interpreter/program/view.ts";
import { cells } from "../../interpreter/schemas/form-layout.ts";
import { type ClientScript, clientScript } from "../client-script.ts";
import { logged } from "../logged.ts";
import examples from "./examples.json";
import { fetchedAnswers } from "./script-fetches.ts";
import { evaluateCustom, textInsteadLogs } from "./set-variable/custom.ts";
import { type SetVariableOptions, setVariableOptionsSchema } from "./set-variable/options.ts";
import { applyPreset, clientPresets, withoutBrowser } from "./set-variable/presets.ts";

export const setVariable = defineLogic({
  type: "Set variable",
  summary:
    "Sets a variable to the value of an expression, or to a preset: a time, an id, a list that grows or shrinks, or the conversation so far.",
  schema: Type.Object({ options: Type.Optional(setVariableOptionsSchema) }),
  runsOnClient: ({ options }) => options?.isExecutedOnClient ?? false,
  computedVariable: ({ options }) => ((options?.type ?? "Custom") === "Custom" ? options?.variableId : undefined),
  madeValue: ({ options }) => madeValueOf(options?.type ?? "Custom"),
  run(block, view) {
    const { options } = block;
    const { variableId, type = "Custom" } = options ?? {};
    if (!options || !variableId) return continueAfter(block);
    const script = view.contact ? undefined : scriptOf(options, view);
    if (script) {
      const action = { type: "setVariable", setVariable: { scriptToExecute: script }, expectsDedicatedReply: true };
      return { kind: "pause", actions: [action] };
    }
    switch (type) {
      case "Device type":
      case "Moment of the day":
        return { ...continueAfter(block), writes: [{ variableId, value: withoutBrowser(type, view) }] };
      case "Custom":
        return evaluateCustom({ ...block, options, variableId }, view, []);
      case "Transcript": {
        const { reply, messages } = view.soFar;
        return {
          kind: "perform",
          effect: { kind: "transcript", visitor: reply, messages },
          sessionVariableIds: [variableId],
        };
      }
      case "Callback address": {
        const { blockId = "" } = options;
        if (view.program.places.get(blockId)?.block.type === "webhook")
          return { kind: "perform", effect: { kind: "callbackAddress", blockId } };
        return withoutAddress({ ...block, variableId }, "Choose the block that waits for the call");
      }
      default:
        return { ...continueAfter(block), ...applyPreset(type, variableId, options, view) };
    }
  },
  report(block, view, report, memo) {
    const { options } = block;
    const { variableId } = options ?? {};
    if (!options || !variableId) return continueAfter(block);
    if (options.type === "Callback address") {
      if (report.kind === "callbackAddress")
        return { ...continueAfter(block), writes: [{ variableId, value: report.address }] };
      return withoutAddress({ ...block, variableId }, report.kind === "refused" ? report.reason : report.kind);
    }
    if (options.type !== "Transcript")
      return evaluateCustom({ ...block, options, variableId }, view, fetchedAnswers(report, memo));
    if (report.kind === "transcript") return { ...continueAfter(block), writes: [{ variableId, value: report.text }] };
    const details = report.kind === "refused" ? report.reason : report.kind;
    return logged(block, { context: "Set variable", description: "The transcript could not be read", details });
  },
  resume(block, view, reply) {
    const { options } = block;
    const { variableId } = options ?? {};
    if (!options || !variableId || reply?.type !== "text") return { kind: "next" };
    const refused = refusedCode(reply.text, options, view);
    const value = refused?.isText ? view.text(options.expressionToEvaluate) : untrustedJsonOrText(reply.text);
    const logs = refused ? textInsteadLogs({ ...block, options }, view, refused) : [];
    return { kind: "next", writes: [{ variableId, value }], logs };
  },
  ways: ({ options }) => ({ waits: isClients(options), ways: [{ kind: "on" }] }),
  editor: {
    name: "Set variable",
    icon: "pencil-line",
    words: [
      "value",
      "score",
      "points",
      "count",
      "sum",
      "assign",
      "compute",
      "formula",
      "expression",
      "date",
      "random",
      "transcript",
      "callback",
      "webhook",
    ],
    row: [
      "{options.variableId} = {options.expressionToEvaluate}",
      "{options.variableId}: append {options.item}",
      "{options.variableId}: {options.type:other}",
      "{options.variableId} = nothing",
    ],
    form: [
      cells("options.variableId", "options.type"),
      cells("options.expressionToEvaluate"),
      cells("options.item"),
      cells("options.timeZone"),
      cells("options.mapListItemParams"),
      cells("options.blockId"),
      cells("options.saveItemInVariableId"),
      cells("options.isCode"),
      cells("options.saveErrorInVariableId"),
    ],
    related: ["Code"],
  },
  examples: examples["Set variable"],
});

/**
 * Returns a pattern for the path of the option that supplies the value, and whether the new value contains the old
 * value of the variable.
 */
function madeValueOf(type: NonNullable<SetVariableOptions["type"]>): MadeValue {
  switch (type) {
    case "Custom":
      return { from: /^options\.expressionToEvaluate$/ };
    case "Append value(s)":
      return { from: /^options\.item$/, keepsOld: true };
    case "Pop":
    case "Shift":
      return { from: /^$/, keepsOld: true };
    case "Map item with same index":
      return { from: /^options\.mapListItemParams\.targetListVariableId$/ };
    default:
      return { from: /^$/ };
  }
}

/**
 * Returns the outcome if no callback address can be created. The variable is cleared, because a callback address from
 * an earlier visit would lead to another block.
 */
function withoutAddress(
  block: { readonly variableId: string; readonly outgoingEdgeId?: string },
  details: string,
): Outcome {
  const log = { context: "Set variable", description: "The callback address could not be created", details };
  return { ...continueAfter(block), writes: [{ variableId: block.variableId, value: null }], logs: [log] };
}

/** Returns whether the visitor's client computes the value while the flow waits. */
function isClients(options: unknown): boolean {
  const type = textAt(options, "type") ?? "Custom";
  if (!textAt(options, "variableId")) return false;
  if (type === "Device type" || type === "Moment of the day") return true;
  const hasCode = Boolean(textAt(options, "expressionToEvaluate"));
  return type === "Custom" && hasCode && valueAt(options, "isExecutedOnClient") === true;
}

/**
 * Detects code that the client returned because it could not run the code. If the code contains names that are not
 * variable ids, the value becomes the text of the expression. Code with variable ids is stored unchanged, because flows
 * imported from other services expect this.
 */
function refusedCode(
  text: string,
  options: SetVariableOptions,
  view: View,
): (Failure & { readonly isText: boolean }) | undefined {
  const script = scriptOf(options, view);
  // Numbers and other JSON values may legitimately evaluate to their own source text.
  if (script?.content !== text || parseJsonOr(text, undefined) !== undefined) return undefined;
  const isText = script.args.some(({ id }) => !view.variables.has(id));
  return { reason: "it failed in the visitor's browser", isText };
}

/** Returns the script for the visitor's client, or undefined if the client does not compute the value. */
function scriptOf({ type = "Custom", ...options }: SetVariableOptions, view: View): ClientScript | undefined {
  if (type === "Device type" || type === "Moment of the day") {
    return { content: clientPresets[type], args: [], isCode: true };
  }
  const { expressionToEvaluate, isExecutedOnClient } = options;
  return type === "Custom" && isExecutedOnClient && expressionToEvaluate
    ? clientScript(expressionToEvaluate, view, options)
    : undefined;
}
