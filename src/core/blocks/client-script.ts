import { toCode } from "../interpreter/language/template.ts";
import { guessType } from "../interpreter/language/values.ts";
import type { View } from "../interpreter/program/view.ts";

/**
 * A function body that the visitor's client runs. The arguments of the function are the variables that its code
 * mentions, under the names used in the code.
 */
export type ClientScript = {
  readonly content: string;
  readonly args: readonly { readonly id: string; readonly value: unknown }[];
  readonly isCode?: boolean;
  readonly isUnsafe?: boolean;
};

export function clientScript(
  code: string,
  view: View,
  flags: { isCode?: boolean | undefined; isUnsafe?: boolean | undefined },
): ClientScript {
  const { code: content, mentioned } = toCode(code, view.variables, view.templates);
  return {
    content,
    args: mentioned.map(({ name, value }) => ({ id: name, value: guessType(value) })),
    ...(flags.isCode !== undefined && { isCode: flags.isCode }),
    ...(flags.isUnsafe !== undefined && { isUnsafe: flags.isUnsafe }),
  };
}
