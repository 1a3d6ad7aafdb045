import { type FlowBlock, isJsonObject, textAt } from "../flow.ts";
import type { CallRequest } from "./call.ts";

/** Describes how the options of a field are loaded from a service. */
export type RemoteField = {
  /** The type of the credentials in `options.credentialsId`, which are used to sign the calls. */
  readonly credentialsType: string;
  /**
   * The option whose recent values are offered. The values come from the workspace's blocks of this type and are passed
   * to `next` as `recent`.
   */
  readonly recent?: string;
  /**
   * Returns the next step after the given responses, each parsed as JSON. If a call with `mayFail` failed, its response
   * is null.
   */
  next(stored: FlowBlock, answers: readonly unknown[], recent: readonly string[]): RemoteStep;
};

export type RemoteStep =
  /** A call to make. `mayFail`: whether the other responses are useful without the response to this call. */
  | { readonly ask: CallRequest; readonly mayFail?: true }
  | { readonly options: readonly RemoteOption[] }
  /** The name of another field that must be filled in first. */
  | { readonly missing: string }
  | { readonly unreadable: true };

/** `value` is stored, and `label` is displayed. */
export type RemoteOption = { readonly value: string; readonly label: string };

/** Remote fields by path below `options`, without list indexes: `filter.comparisons.column`. */
export type RemoteFields = Readonly<Record<string, RemoteField>>;

/**
 * Returns the options in a list from a service's response. `value` and `label` are keys of the list's elements, and
 * elements without a value are skipped. Returns undefined if `list` is not a list.
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
