import type { FlowBlock } from "../flow.ts";
import type { CallRequest } from "./call.ts";

/** How a service is asked for the options of a field, as data: nothing here calls out. */
export type RemoteField = {
  /** Of the credentials in `options.credentialsId`, which sign the calls. */
  readonly credentialsType: string;
  /** The next step after these answers, each read as JSON. */
  next(stored: FlowBlock, answers: readonly unknown[]): RemoteStep;
};

export type RemoteStep =
  | { readonly ask: CallRequest }
  | { readonly options: readonly RemoteOption[] }
  /** Another field has to be filled in first: its name. */
  | { readonly missing: string }
  | { readonly unreadable: true };

/** `value` is stored, `label` is shown. */
export type RemoteOption = { readonly value: string; readonly label: string };

/** By the paths of fields below `options`, without the positions in lists: `filter.comparisons.column`. */
export type RemoteFields = Readonly<Record<string, RemoteField>>;
