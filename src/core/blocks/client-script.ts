import { toCode } from "../interpreter/language/template.ts";
import { guessType } from "../interpreter/language/values.ts";
import type { View } from "../interpreter/program/view.ts";

/**
 * A script for the visitor's client: a function body. Its arguments are the variables that it mentions, under their
 * names in code.
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
