import { render, toCode, type VariableReader } from "./template.ts";
import { guessType } from "./values.ts";
import type { ScriptCall } from "./view.ts";
import type { ScriptOutcome } from "./script.ts";

/** The value of inline code `{{= … =}}`; the code's own text with its variables where it fails. */
export function evaluateInline(code: string, variables: VariableReader, runScript: (call: ScriptCall) => ScriptOutcome): unknown {
  const source = toCode(code, variables).code;
  const outcome = runScript({
    source: source.includes("return ") ? source : `return ${source}`,
    form: "sync",
    globals: [...variables.all()].map(([id, value]) => [id, guessType(value)] as const),
    offersHostFunctions: false,
    fetched: [],
  });
  if (outcome.kind === "returned") return outcome.value;
  return render(code, { variables, evaluate: () => "" });
}
