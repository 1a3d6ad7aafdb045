/** @jsxImportSource preact */

import { say } from "../../conversation/rare-words.ts";
import { flagAt, listAt, textAt } from "../../conversation/read.ts";
import type { Input } from "../../conversation/step.ts";
import css from "./matrix.css" with { type: "text" };
import { buttonLabel, nameOf, SendButton } from "./parts/field.tsx";
import type { FieldProps, InputKind } from "./parts/input-kind.ts";

/**
 * Several questions with the same possible answers. It is a table if there is room, otherwise a column of questions.
 */
export const matrixInput: InputKind = {
  css,
  View: Matrix,
  read(form, input, words) {
    const { rows, columns } = matrixOf(input);
    const said = rows.map(({ title }, index) => {
      const column = columns[Number(form.get(`row-${index}`) ?? Number.NaN)];
      return column === undefined ? undefined : `${title}: ${column}`;
    });
    const text = said.filter((line) => line !== undefined).join("\n");
    const missing = rows.find(({ isRequired }, index) => isRequired && said[index] === undefined);
    if (missing) return { kind: "wrong", error: say(words, "answerRow", { name: missing.title }), draft: text };
    return { kind: "said", message: text === "" ? null : { type: "text", text } };
  },
};

function Matrix({ input, words, questionId, errorId, initial }: FieldProps) {
  const { rows, columns } = matrixOf(input);
  const said = new Set(initial.split("\n"));
  return (
    <fieldset class="matrix" {...nameOf(questionId, words.choose)} aria-describedby={errorId}>
      <div class="matrix-rows typebot-input">
        <div class="matrix-row is-head" aria-hidden="true">
          <span class="matrix-title" />
          {columns.map((column) => (
            <span key={column} class="matrix-column" dir="auto">
              {column}
            </span>
          ))}
        </div>
        {rows.map(({ title, isRequired }, row) => (
          <div key={title} class="matrix-row" role="radiogroup" aria-labelledby={`${input.id}-row-${row}`}>
            <span class="matrix-title" id={`${input.id}-row-${row}`} dir="auto">
              {title}
            </span>
            {columns.map((column, index) => (
              <label key={column} class="matrix-cell">
                <input
                  type="radio"
                  name={`row-${row}`}
                  value={index}
                  required={isRequired}
                  defaultChecked={said.has(`${title}: ${column}`)}
                />
                <span class="matrix-label" dir="auto">
                  {column}
                </span>
              </label>
            ))}
          </div>
        ))}
      </div>
      <SendButton label={buttonLabel(input) ?? words.send} words={words} />
    </fieldset>
  );
}

function matrixOf(input: Input) {
  return {
    rows: listAt(input, "options", "rows").map((row) => ({
      title: textAt(row, "title") ?? "",
      isRequired: flagAt(row, "isRequired") ?? true,
    })),
    columns: listAt(input, "options", "columns").map(String),
  };
}
