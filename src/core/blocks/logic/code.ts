import { Type } from "@sinclair/typebox";
import { type Failure, placeOf } from "../../interpreter/evaluation/code-errors.ts";
import { runServerScript } from "../../interpreter/evaluation/expression.ts";
import type { RecordedFetch, ScriptError } from "../../interpreter/language/script.ts";
import { type BlockBase, defineLogic } from "../../interpreter/program/block.ts";
import { continueAfter, notOnMessengers, type Outcome, type StepLog } from "../../interpreter/program/outcome.ts";
import type { View } from "../../interpreter/program/view.ts";
import { clientScript } from "../client-script.ts";
import { advanced, helped, hiddenFromGuests, marked, option, titled } from "../options.ts";
import examples from "./examples.json";
import { fetchedAnswers, fetchForScript } from "./script-fetches.ts";

const optionsSchema = Type.Object({
  name: option.text("Name of the script in the editor.", "Script"),
  content: titled(
    "Code",
    hiddenFromGuests(option.code("JavaScript, which can contain variables. Without code, the block has no effect.")),
  ),
  isExecutedOnClient: marked(
    {
      title: "Run in the visitor's browser",
      help: "Turn it off to run it on the server, with `fetch` and `setVariable`.",
    },
    option.flag(
      "Whether the visitor's client runs the code. Otherwise the server runs it: `fetch(url, init)` returns a response body, and `setVariable(name, value)` sets a variable.",
      true,
    ),
  ),
  isUnsafe: advanced(
    helped(
      "Set by an import: the browser does not trust this code.",
      option.flag("Whether the client should treat the code as untrusted. Imports set this."),
    ),
  ),
  shouldExecuteInParentContext: marked(
    { widget: "kept", isAdvanced: true },
    option.flag("Stored for editors. Chats do not use it."),
  ),
});

const schema = Type.Object({ options: Type.Optional(optionsSchema) });

export const code = defineLogic({
  type: "Code",
  summary: "Runs JavaScript, in the visitor's client or in a sandbox on the server.",
  schema,
  runsOnClient: ({ options }) => options?.isExecutedOnClient ?? true,
  serverScript: ({ options }) => (options?.isExecutedOnClient === false ? options.content : undefined),
  run(block, view) {
    const { content, isExecutedOnClient = true, isUnsafe } = block.options ?? {};
    if (!content) return continueAfter(block);
    if (!isExecutedOnClient) return runHere(block, content, view, []);
    if (view.contact) return { ...continueAfter(block), logs: [notOnMessengers(block)] };
    const scriptToExecute = clientScript(content, view, { isUnsafe });
    return { ...continueAfter(block), actions: [{ type: "scriptToExecute", scriptToExecute }] };
  },
  report: (block, view, report, memo) =>
    runHere(block, block.options?.content ?? "", view, fetchedAnswers(report, memo)),
  editor: {
    name: "Code",
    icon: "code",
    words: ["script", "javascript", "js", "function", "program"],
    row: ["{options.name:other}", "{options.content:line}"],
    related: ["Set variable"],
  },
  examples: examples["Code"],
});

/** Returns the author's log entry for a failed script, including the location of the error. */
function failureLog({ id }: BlockBase, { program }: View, { error, line }: Failure & { error: ScriptError }): StepLog {
  return { ...error, forAuthors: placeOf({ program, blockId: id }, line), reason: "script" };
}

function runHere(block: BlockBase, content: string, view: View, fetched: readonly RecordedFetch[]): Outcome {
  const result = runServerScript(content, view, { fetched });
  switch (result.kind) {
    case "finished":
      return { ...continueAfter(block), writes: result.writes };
    case "failed":
      return { ...continueAfter(block), logs: [failureLog(block, view, result)] };
    case "fetch":
      return fetchForScript(result, fetched);
    default:
      return result satisfies never;
  }
}
