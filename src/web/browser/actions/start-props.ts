import { filledTextAt, listAt } from "../../conversation/read.ts";
import { addFormerElement } from "../author-code/former-element.ts";
import { withLateEvents } from "../author-code/late-events.ts";
import { loadScript } from "../author-code/script-elements.ts";
import type { RunAction } from "./action.ts";
import { loadAnalytics, loadPixel } from "./analytics.ts";

/** Code and tags that this page has already. */
const added = new Set<string>();

/** Adds the author's head code, tag managers and analytics to the page, each once however many chats it has. */
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
  // A template is inert: nothing in it is run, loaded, or refused by the page's policy.
  const template = document.createElement("template");
  // Without a script there is no head code either: the frames and pictures of tag snippets are never wanted, and their
  // styles are refused already here.
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
