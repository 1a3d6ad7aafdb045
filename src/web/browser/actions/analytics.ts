import { at, filledTextAt, isObject, listAt, textAt } from "../../conversation/read.ts";
import { loadScript, runInline } from "../author-code/script-elements.ts";
import type { RunAction } from "./action.ts";

/** Sends an event to Google Analytics, if the page has loaded it and authors' code is enabled. */
export const googleAnalytics: RunAction = async (action, { isAuthorCodeDisabled }) => {
  if (isAuthorCodeDisabled) return null;
  const event = at(action, "googleAnalytics");
  const tag = globalFunction("gtag");
  if (!tag || !isObject(event)) return null;
  const name = textAt(event, "action") ?? "";
  tag("event", name, {
    event_category: event["category"],
    event_label: event["label"],
    value: event["value"],
    send_to: event["sendTo"] ?? event["trackingId"],
  });
  return null;
};

/**
 * Sends an event to Meta's pixel, and loads the pixel first if necessary. Does nothing if authors' code is disabled, or
 * if the pixel's id or the event's type is missing.
 */
export const pixel: RunAction = async (action, { isAuthorCodeDisabled, nonce }) => {
  if (isAuthorCodeDisabled) return null;
  const event = at(action, "pixel");
  const pixelId = filledTextAt(event, "pixelId");
  const type = filledTextAt(event, "eventType");
  if (pixelId === undefined || type === undefined) return null;
  if (!globalFunction("fbq")) loadPixel(pixelId, nonce);
  const params = listAt(event, "params").flatMap((param) => {
    const key = filledTextAt(param, "key");
    return key === undefined || !isObject(param) ? [] : [[key, param["value"]] as const];
  });
  const isCustom = type === "Custom";
  globalFunction("fbq")?.(
    isCustom ? "trackSingleCustom" : "trackSingle",
    pixelId,
    isCustom ? (textAt(event, "name") ?? "") : type,
    Object.fromEntries(params),
  );
  return null;
};

/** Loads Google Analytics for a tracking id. */
export function loadAnalytics(id: string, nonce: string): void {
  // Google's script requires the `arguments` object itself instead of a rest parameter.
  runInline("window.dataLayer=window.dataLayer||[];window.gtag=function(){dataLayer.push(arguments)}", nonce);
  globalFunction("gtag")?.("js", new Date());
  globalFunction("gtag")?.("config", id);
  loadScript(`https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(id)}`, nonce);
}

/** Loads Meta's pixel unless the page already has it, registers an id with the pixel, and counts a page view. */
export function loadPixel(id: string, nonce: string): void {
  if (!globalFunction("fbq")) {
    const queue: unknown[] = [];
    const send = (...args: unknown[]): void => {
      const call: unknown = Reflect.get(send, "callMethod");
      if (typeof call === "function") call.apply(send, args);
      else queue.push(args);
    };
    Object.assign(send, { queue, loaded: true, version: "2.0", push: send });
    Reflect.set(window, "fbq", send);
    Reflect.set(window, "_fbq", send);
    loadScript("https://connect.facebook.net/en_US/fbevents.js", nonce);
  }
  globalFunction("fbq")?.("init", id);
  globalFunction("fbq")?.("track", "PageView");
}

function globalFunction(name: string): ((...args: readonly unknown[]) => void) | undefined {
  const found: unknown = Reflect.get(window, name);
  return typeof found === "function" ? (...args) => found(...args) : undefined;
}
