import { cells, type FormLayout } from "../../interpreter/schemas/form-layout.ts";

/** The fields that say what is asked, a row each, and those that follow the trial. */
const asked = [
  ...["systemMessage", "instructions", "messages", "message", "prompt", "input", "voice", "url"],
  "variablesToExtract",
];
const following = [
  ...["responseMapping", "transcriptionVariableId", "saveUrlInVariableId", "responseIdVariableId"],
  ...["tools", "functions"],
];

/** The form of a block that asks a model: account and model in one row, what is asked, its trial, and limits folded. */
export function modelForm(names: ReadonlySet<string>): FormLayout {
  const has = (list: readonly string[]) => list.filter((name) => names.has(name)).map((name) => `options.${name}`);
  return [
    cells("options.action"),
    { cells: [{ field: "options.credentialsId" }, { field: "options.model", widget: "model" }] },
    ...has(asked).map((field) => cells(field)),
    { cells: [{ widget: "trial" }] },
    ...has(following).map((field) => cells(field)),
    {
      fold: "Limits",
      rows: [cells(...has(["temperature", "maxTokens", "timeout"])), cells(...has(["fallbacks"]))],
    },
  ];
}
