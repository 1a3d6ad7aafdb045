import type { Json } from "../../../../src/web/conversation/read.ts";
import type { State } from "../cell.ts";

/** Returns a bubble in the service's format. */
export function bubble(type: string, content: Json): Json {
  return { id: `${type} bubble`, type, content };
}

/** Returns a text bubble with one paragraph. */
export function says(text: string): Json {
  return rich([{ type: "p", children: [{ text }] }]);
}

export function rich(richText: readonly Json[]): Json {
  return bubble("text", { type: "richText", richText });
}

/** Returns an input in the service's format. */
export function input(type: string, options: Json = {}, more: Json = {}): Json & { readonly type: string } {
  return { id: "asked", type, options, ...more };
}

/** The states of an input that is filled in and then sent. */
export const filledStates: readonly State[] = ["idle", "focus", "filled", "refused", "busy", "offline", "answered"];

/** The states of an input whose buttons send the answer immediately. */
export const pressedStates: readonly State[] = ["idle", "focus", "refused", "busy", "answered"];

/**
 * Returns the URL of a picture that the gallery's server draws. The name contains its colours and its shape: `sea`,
 * `tomato.tall`.
 */
export function picture(name: string): string {
  return `https://gallery.invalid/files/${name}.png`;
}
