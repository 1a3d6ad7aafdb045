import { filledTextAt, listAt } from "../../conversation/read.ts";
import { addFormerElement } from "../author-code/former-element.ts";
import { withLateEvents } from "../author-code/late-events.ts";
import { loadScript } from "../author-code/script-elements.ts";
import type { RunAction } from "./action.ts";
import { loadAnalytics, loadPixel } from "./analytics.ts";

/** The start properties that were already added to this page, as JSON. */
const added = new Set<string>();

/**
 * Adds the author's head code, tag managers and analytics to the page, unless authors' code is disabled. Equal start
 * properties are added only once, even if the page contains several chats.
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
 * Adds head code to the page. Each element is created again, because scripts that are parsed from `innerHTML` do not
 * run. `meta` tags and links other than style sheets are skipped, because crawlers read them only in the page that the
 * server sends.
 */
function injectHeadCode(code: string, nonce: string): void {
  // The content of a template is not run, and loads nothing.
  const template = document.createElement("template");
  // Head code requires scripts, so `noscript` elements are removed. Otherwise, the page's policy would block the styles
  // in these elements when they are parsed.
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
