import type { HeldKeys } from "../../keys/hold-keys.ts";

/** The input events that the canvas received before the layer over cards was loaded. */
export type Met = {
  /** The last movement of the pointer. */
  pointer?: PointerEvent | undefined;
  /** Keys that were typed before the text editor opened. */
  keys?: HeldKeys | undefined;
  isLoaded?: boolean;
};
