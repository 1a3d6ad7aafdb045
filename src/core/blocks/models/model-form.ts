import { cells, type FormLayout } from "../../interpreter/schemas/form-layout.ts";

/** The fields whose places a form of a model knows, in their order, a row each. */
const rows = [
  ...["systemMessage", "instructions", "messages", "message", "prompt", "input", "voice", "url"],
  ...["variablesToExtract", "tools", "functions", "responseMapping", "responseIdVariableId"],
  ...["transcriptionVariableId", "saveUrlInVariableId"],
];

/** The form of a block that asks a model: account and model in one row, what is asked, its trial, and limits folded. */
export function modelForm(names: ReadonlySet<string>): FormLayout {
  const has = (list: readonly string[]) => list.filter((name) => names.has(name)).map((name) => `options.${name}`);
  return [
    cells("options.action"),
    { cells: [{ field: "options.credentialsId" }, { field: "options.model", widget: "model" }] },
    ...has(rows).map((field) => cells(field)),
    { cells: [{ widget: "trial" }] },
    {
      fold: "Limits",
      rows: [cells(...has(["temperature", "maxTokens", "timeout"])), cells(...has(["fallbacks"]))],
    },
  ];
}
