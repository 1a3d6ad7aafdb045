import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { FormContext } from "../forms/index.ts";
import type { Path } from "../forms/values.ts";
import { Combobox } from "../ui/index.ts";
import requestTrialWords from "../words/en/request-trial.json";
import { useWords } from "../words/index.ts";
import { codeOf, linesOf } from "./answer-path.ts";

const mostLines = 300;
const mostShown = 20_000;

type AnswerProps = {
  readonly data: unknown;
  readonly isCut: boolean;
  readonly context: FormContext;
  /** Maps the value to a variable. Absent if the block's own form defines the mapping. */
  readonly onKeep: ((bodyPath: string, variableId: string) => void) | undefined;
};

/** Shows a response value by value. Each value can be mapped to a variable. */
export function Answer({ data, isCut, context, onKeep }: AnswerProps) {
  const words = useWords(requestTrialWords);
  const [chosen, setChosen] = useState<Path>();
  const list = useRef<HTMLUListElement>(null);
  // Moves the focus to the field for the variable's name.
  useLayoutEffect(() => {
    if (chosen) list.current?.querySelector("input")?.focus();
  }, [chosen]);
  // The response was cut off and cannot be parsed, so its beginning is shown as text.
  if (isCut && typeof data === "string")
    return (
      <div class="trial-answer">
        <pre class="trial-curl" dir="ltr">
          {data.slice(0, mostShown)}
        </pre>
        <p class="trial-note">{words.cut}</p>
      </div>
    );
  if (data === "" || data === undefined) return <p class="trial-note">{words.noAnswer}</p>;
  const { lines, isCut: hasMore } = linesOf(data, mostLines);
  const code = chosen && codeOf(chosen);
  return (
    <div class="trial-answer">
      {!context.isReadOnly && onKeep && <p class="trial-note">{words.answerHelp}</p>}
      <ul class="trial-lines" dir="ltr" ref={list}>
        {lines.map(({ path, name, text, isOpen }) => {
          const lineCode = codeOf(path);
          return (
            <li key={lineCode} style={{ paddingInlineStart: `${Math.min(path.length, 12) * 14}px` }}>
              <button
                type="button"
                class={`trial-line ${lineCode === code ? "is-chosen" : ""}`}
                aria-expanded={onKeep && lineCode === code}
                disabled={context.isReadOnly || !onKeep}
                onClick={() => setChosen(lineCode === code ? undefined : path)}
              >
                <span class="trial-name">{name}</span>
                <span class={isOpen ? "trial-size" : "trial-value"}>{text}</span>
                {onKeep && <span class="visually-hidden">{words.use({ code: lineCode })}</span>}
              </button>
              {onKeep && lineCode === code && (
                <Combobox
                  label={words.keepIn({ code: lineCode })}
                  value={undefined}
                  placeholder={words.variable}
                  options={context.variables.value.map((one) => ({ value: one.id, label: one.name }))}
                  noneLabel={words.noVariables}
                  onCreate={(made) => context.makeVariable(made)}
                  createLabel={(name) => words.makeVariable({ name })}
                  onChange={(variableId) => {
                    if (variableId === undefined) return;
                    onKeep(lineCode, variableId);
                    setChosen(undefined);
                  }}
                />
              )}
            </li>
          );
        })}
      </ul>
      {(isCut || hasMore) && <p class="trial-note">{words.cut}</p>}
    </div>
  );
}
