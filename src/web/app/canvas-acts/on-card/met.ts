import type { HeldKeys } from "../../keys/hold-keys.ts";

/** The events on the canvas before the layer over cards is loaded. */
export type Met = {
  /** The last move of the pointer. */
  pointer?: PointerEvent | undefined;
  /** Keys that were typed into a text before its editor opened. */
  keys?: HeldKeys | undefined;
  isLoaded?: boolean;
};
