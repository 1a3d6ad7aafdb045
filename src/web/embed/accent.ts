import type { Accent } from "../../core/theme/accent.ts";
import type { Frame } from "./frame.ts";
import { runAfter } from "./timers.ts";

/** Imports a path of a service. An empty host means the host of the script. */
export type ImportFrom = (host: string, path: string) => Promise<unknown>;

/**
 * Sets the colors of a bubble's button to the colors of its bot's theme, unless the element has the attribute
 * `button-color`.
 */
export function paintFrame(
  element: HTMLElement & { readonly bot: string; readonly host: string },
  { setAccent }: Frame,
  importFrom: ImportFrom,
  signal: AbortSignal,
): void {
  const { bot, host } = element;
  if (!setAccent || bot === "" || element.hasAttribute("button-color")) return;
  const paint = (accent: Accent | undefined): void => {
    if (element.bot === bot && !signal.aborted) setAccent(accent);
  };
  // After this time, the button is shown in the default colors.
  runAfter(longestUnpaintedMs, () => paint(undefined), signal);
  importFrom(host, `/${encodeURIComponent(bot)}/launcher.js`).then(
    (loaded) => paint(readAccent(loaded)),
    () => paint(undefined),
  );
}

const longestUnpaintedMs = 1_000;

function readAccent(loaded: unknown): Accent | undefined {
  const accent: unknown = Reflect.get(Object(loaded), "default");
  return isAccent(accent) ? accent : undefined;
}

function isAccent(value: unknown): value is Accent {
  return ["color", "ink"].every((name) => typeof Reflect.get(Object(value), name) === "string");
}
