import { type FlowBlock, isJsonObject, textAt } from "../flow.ts";
import type { CallRequest } from "./call.ts";

/** How a service is asked for the options of a field, as data: this module makes no calls. */
export type RemoteField = {
  /** The type of the credentials in `options.credentialsId`, which sign the calls. */
  readonly credentialsType: string;
  /**
   * The option for which the field offers values from the workspace's other blocks of this type: `recent` contains
   * them.
   */
  readonly recent?: string;
  /** The next step after these answers, each read as JSON; null instead of an answer that may be absent. */
  next(stored: FlowBlock, answers: readonly unknown[], recent: readonly string[]): RemoteStep;
};

export type RemoteStep =
  /** `mayFail`: without this answer the others are still useful. */
  | { readonly ask: CallRequest; readonly mayFail?: true }
  | { readonly options: readonly RemoteOption[] }
  /** The name of another field that has to be filled in first. */
  | { readonly missing: string }
  | { readonly unreadable: true };

/** `value` is stored, `label` is shown. */
export type RemoteOption = { readonly value: string; readonly label: string };

/** By the paths of fields below `options`, without the positions in lists: `filter.comparisons.column`. */
export type RemoteFields = Readonly<Record<string, RemoteField>>;

/**
 * The options in a list of a service's answer, by the keys of the value and of its name. Undefined if the answer is not
 * a list.
 */
export function optionsIn(
  list: unknown,
  { value: key, label }: { readonly value: string; readonly label: string },
): readonly RemoteOption[] | undefined {
  if (!Array.isArray(list)) return undefined;
  return list.filter(isJsonObject).flatMap((one) => {
    const value = textAt(one, key);
    return value === undefined || value === "" ? [] : [{ value, label: textAt(one, label) || value }];
  });
}
