import type { Json } from "../../../../src/web/conversation/read.ts";
import type { State } from "../cell.ts";

/** A bubble in the service's form. */
export function bubble(type: string, content: Json): Json {
  return { id: `${type} bubble`, type, content };
}

/** A text bubble of one paragraph. */
export function says(text: string): Json {
  return rich([{ type: "p", children: [{ text }] }]);
}

export function rich(richText: readonly Json[]): Json {
  return bubble("text", { type: "richText", richText });
}

/** An open input in the service's form. */
export function input(type: string, options: Json = {}, more: Json = {}): Json & { readonly type: string } {
  return { id: "asked", type, options, ...more };
}

/** The states of an input that is filled in and then sent. */
export const filledStates: readonly State[] = ["idle", "focus", "filled", "refused", "busy", "offline", "answered"];

/** The states of an input whose buttons answer at once. */
export const pressedStates: readonly State[] = ["idle", "focus", "refused", "busy", "answered"];

/** A picture that the gallery's server draws. The name contains its colours and its shape: `sea`, `tomato.tall`. */
export function picture(name: string): string {
  return `https://gallery.invalid/files/${name}.png`;
}
