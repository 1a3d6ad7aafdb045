import { at, filledTextAt, isObject, listAt, textAt } from "../../conversation/read.ts";
import { loadScript, runInline } from "../script-elements.ts";
import type { RunAction } from "./action.ts";

/** Tells Google Analytics of an event. */
export const googleAnalytics: RunAction = async (action, { isAuthorCodeDisabled }) => {
  if (isAuthorCodeDisabled) return null;
  const event = at(action, "googleAnalytics");
  const tag = hook("gtag");
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

/** Tells Meta's pixel of an event. */
export const pixel: RunAction = async (action, { isAuthorCodeDisabled, nonce }) => {
  if (isAuthorCodeDisabled) return null;
  const event = at(action, "pixel");
  const pixelId = filledTextAt(event, "pixelId");
  const type = filledTextAt(event, "eventType");
  if (pixelId === undefined || type === undefined) return null;
  if (!hook("fbq")) loadPixel(pixelId, nonce);
  const params = listAt(event, "params").flatMap((param) => {
    const key = filledTextAt(param, "key");
    return key === undefined || !isObject(param) ? [] : [[key, param["value"]] as const];
  });
  const isCustom = type === "Custom";
  hook("fbq")?.(
    isCustom ? "trackSingleCustom" : "trackSingle",
    pixelId,
    isCustom ? (textAt(event, "name") ?? "") : type,
    Object.fromEntries(params),
  );
  return null;
};

/** Loads Google Analytics for this id. */
export function loadAnalytics(id: string, nonce: string): void {
  // Google's script reads what this very function leaves: the arguments it was called with.
  runInline("window.dataLayer=window.dataLayer||[];window.gtag=function(){dataLayer.push(arguments)}", nonce);
  hook("gtag")?.("js", new Date());
  hook("gtag")?.("config", id);
  loadScript(`https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(id)}`, nonce);
}

/** Loads Meta's pixel once, and makes this id known to it. */
export function loadPixel(id: string, nonce: string): void {
  if (!hook("fbq")) {
    const queue: unknown[] = [];
    const send = (...words: unknown[]): void => {
      const call: unknown = Reflect.get(send, "callMethod");
      if (typeof call === "function") call.apply(send, words);
      else queue.push(words);
    };
    Object.assign(send, { queue, loaded: true, version: "2.0", push: send });
    Reflect.set(window, "fbq", send);
    Reflect.set(window, "_fbq", send);
    loadScript("https://connect.facebook.net/en_US/fbevents.js", nonce);
  }
  hook("fbq")?.("init", id);
  hook("fbq")?.("track", "PageView");
}

/** A function that a counter's script has put into the page. */
function hook(name: string): ((...words: readonly unknown[]) => void) | undefined {
  const found: unknown = Reflect.get(window, name);
  return typeof found === "function" ? (...words) => found(...words) : undefined;
}
