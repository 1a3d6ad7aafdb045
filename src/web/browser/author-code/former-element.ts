import type { formerMembers } from "../../../core/theme/former-element.ts";

/** The members of the shadow root that head code may use. The linter reports all other members. */
type FormerMembers = {
  readonly querySelector: (selector: string) => Element | null;
  readonly querySelectorAll: (selector: string) => NodeListOf<Element>;
  adoptedStyleSheets: CSSStyleSheet[];
  readonly appendChild: (sheet: HTMLElement) => HTMLElement;
} & Readonly<Record<(typeof formerMembers)[number], unknown>>;

/**
 * Adds an invisible `typebot-standard` element for the head code of imported bots. Such code changes the element's
 * shadow root, and the element applies the changes to the chat, which is the page itself. The element is not added to
 * pages of other sites, because the code would change those pages.
 */
export function addFormerElement(nonce: string): void {
  if (!document.body.matches(".typebot-container") || document.querySelector("typebot-standard")) return;
  const members: FormerMembers = {
    querySelector: (selector) => document.querySelector(withoutStandIn(selector)),
    querySelectorAll: (selector) => document.querySelectorAll(withoutStandIn(selector)),
    get adoptedStyleSheets() {
      return document.adoptedStyleSheets;
    },
    set adoptedStyleSheets(sheets) {
      document.adoptedStyleSheets = sheets;
    },
    appendChild(sheet) {
      if (!/^(style|link)$/.test(sheet.localName)) {
        throw new TypeError(
          `typebot-standard accepts only <style> and <link>, not <${sheet.localName}>. Add the element to #__next.`,
        );
      }
      sheet.nonce = nonce;
      return document.head.appendChild(sheet);
    },
  };
  const element = document.createElement("typebot-standard");
  element.hidden = true;
  // The element has a real, empty shadow root, because tools that inspect all roots of a page, such as accessibility
  // checkers, fail with any other object.
  const root = element.attachShadow({ mode: "open" });
  for (const name of absentMembers()) Object.defineProperty(root, name, { value: undefined, configurable: true });
  Object.defineProperties(root, Object.getOwnPropertyDescriptors(members));
  document.body.append(element);
}

/**
 * Lists the members of a shadow root that would have no effect or find nothing, because the element's root is empty.
 * Code that calls such a method fails instead of continuing without an effect.
 */
function absentMembers(): string[] {
  const own = [ShadowRoot.prototype, DocumentFragment.prototype].flatMap((prototype) =>
    Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, { value }]) =>
      typeof value === "function" && name !== "constructor" ? [name] : [],
    ),
  );
  return [...own, "innerHTML", "insertBefore", "replaceChild"];
}

/**
 * Excludes the element itself, because a shadow root does not contain its host. Otherwise, code that visits all roots
 * would never end.
 */
function withoutStandIn(selector: string): string {
  return `:is(${selector}):not(typebot-standard)`;
}
