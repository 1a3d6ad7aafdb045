import type { ReadonlySignal } from "@preact/signals";
import type { StartPlace, SuppliedFlow } from "./service.ts";
import type { Walked } from "./trace.ts";

/** The bot that is tried, as a preview needs to know it: of an editor, or of a flow that is only read. */
export type PreviewedBot = {
  readonly botId: string;
  /** The version that is tried instead of the draft. */
  readonly flow?: SuppliedFlow | undefined;
  /** The revision of the draft that the service has; undefined while something waits to be saved. */
  readonly saved: ReadonlySignal<number | undefined>;
  /** The draft as it is edited. A part that was not touched is the same object as before. */
  readonly draft: ReadonlySignal<PreviewedDraft>;
  /** The name of a block in lists; undefined for one that is not there. */
  nameOf(blockId: string): string | undefined;
  /** Where one may start: events and groups, in the order of the flow. */
  places(): readonly { readonly name: string; readonly place: StartPlace }[];
  variableNames(): readonly string[];
  select(blockId: string): void;
  /** Shows the walked path, and where the chat waits; undefined: removes both. */
  mark(walked: Walked | undefined): void;
};

export type PreviewedDraft = {
  readonly version?: unknown;
  readonly events?: unknown;
  readonly groups: unknown;
  readonly edges?: unknown;
  readonly variables?: unknown;
  readonly theme?: unknown;
  readonly settings?: unknown;
};
