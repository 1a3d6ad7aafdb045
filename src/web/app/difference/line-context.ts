import type { ReadonlySignal } from "@preact/signals";
import type { BlockType } from "../forms/index.ts";
import type { WordsOf } from "../words/language.ts";
import type { Schemas } from "./fields.ts";
import type { AllNames } from "./names.ts";
import type { ThingChange } from "./thing-change.ts";

/** The context for rendering entries. */
export type LineContext = {
  readonly words: WordsOf<"difference">;
  readonly outline: WordsOf<"outline">["outline"];
  readonly eventNames: Readonly<Record<string, string>>;
  /** The names of the canvas colours. */
  readonly tints: Readonly<Record<string, string>>;
  readonly types: ReadonlyMap<string, BlockType> | undefined;
  readonly schemas: Schemas;
  readonly names: { readonly before: AllNames; readonly after: AllNames };
  /** Shows an object in the picture beside the list; absent if there is no picture. */
  readonly onGo?: ((changed: ThingChange) => void) | undefined;
  /** Opens the flow at an object. `label` is the name of this action. */
  readonly onOpen?: { readonly label: (name: string) => string; open(id: string): void } | undefined;
  /** The key of the current entry. */
  readonly current?: ReadonlySignal<string | undefined> | undefined;
};
