import { filledTextAt, listAt } from "../../conversation/read.ts";
import { addFormerElement } from "../author-code/former-element.ts";
import { withLateEvents } from "../author-code/late-events.ts";
import { loadScript } from "../author-code/script-elements.ts";
import type { RunAction } from "./action.ts";
import { loadAnalytics, loadPixel } from "./analytics.ts";

/** Code and tags that this page already has. */
const added = new Set<string>();

/**
 * Adds the author's head code, tag managers and analytics to the page, each only once, however many chats the page has.
 */
export const startProps: RunAction = async (action, { nonce, isAuthorCodeDisabled }) => {
  const props = JSON.stringify(action["startPropsToInject"]);
  if (isAuthorCodeDisabled || added.has(props)) return null;
  added.add(props);
  const read = (name: string) => filledTextAt(action, "startPropsToInject", name);
  const code = read("customHeadCode");
  if (code !== undefined) {
    addFormerElement(nonce);
    withLateEvents(() => injectHeadCode(code, nonce));
  }
  const tagManagerId = read("gtmId");
  if (tagManagerId !== undefined) loadTagManager(tagManagerId, nonce);
  const analyticsId = read("googleAnalyticsId");
  if (analyticsId !== undefined) loadAnalytics(analyticsId, nonce);
  for (const id of listAt(action, "startPropsToInject", "pixelIds")) {
    if (typeof id === "string") loadPixel(id, nonce);
  }
  return null;
};

/**
 * Scripts parsed from `innerHTML` do not run, so each element is created again. The tags for search engines came with
 * the server's page.
 */
function injectHeadCode(code: string, nonce: string): void {
  // A template is inert: none of its content is run, loaded, or refused by the page's policy.
  const template = document.createElement("template");
  // Without scripts there is no head code, so parts for that case are removed: their frames and pictures are never
  // needed, and the policy would refuse their styles when they are parsed.
  template.innerHTML = code.replaceAll(/(<script\b[\s\S]*?<\/script\s*>)|<noscript\b[\s\S]*?<\/noscript\s*>/gi, "$1");
  for (const element of template.content.children) {
    if (element.localName === "meta" || element.localName === "noscript") continue;
    if (element.localName === "link" && !/stylesheet/i.test(element.getAttribute("rel") ?? "")) continue;
    const copy = document.createElement(element.localName);
    for (const { name, value } of element.attributes) copy.setAttribute(name, value);
    copy.textContent = element.textContent;
    copy.nonce = nonce;
    document.head.append(copy);
  }
}

function loadTagManager(id: string, nonce: string): void {
  const layer: unknown = Reflect.get(window, "dataLayer");
  const events: unknown[] = Array.isArray(layer) ? layer : [];
  events.push({ "gtm.start": Date.now(), event: "gtm.js" });
  Reflect.set(window, "dataLayer", events);
  loadScript(`https://www.googletagmanager.com/gtm.js?id=${encodeURIComponent(id)}`, nonce);
}
