import type { formerMembers } from "../../../core/theme/former-element.ts";

/** The linter names other members that head code uses. */
type FormerRoot = {
  readonly querySelector: (selector: string) => Element | null;
  readonly querySelectorAll: (selector: string) => NodeListOf<Element>;
  adoptedStyleSheets: CSSStyleSheet[];
  readonly appendChild: (sheet: HTMLElement) => HTMLElement;
} & Readonly<Record<(typeof formerMembers)[number], unknown>>;

/**
 * An element such as head code of bots that move in reaches for: what it does to the shadow root of `typebot-standard`, it does to the chat, which
 * is the page itself. It shows nothing.
 */
export function addFormerElement(nonce: string): void {
  if (document.querySelector("typebot-standard")) return;
  const root: FormerRoot = {
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
          `Parley's typebot-standard takes style sheets alone, not <${sheet.localName}>: put it into #__next`,
        );
      }
      sheet.nonce = nonce;
      return document.head.appendChild(sheet);
    },
  };
  const element = document.createElement("typebot-standard");
  element.hidden = true;
  Object.defineProperty(element, "shadowRoot", { value: root });
  document.body.append(element);
}

/** A root does not hold its own host: code that walks through all roots would never end. */
function withoutStandIn(selector: string): string {
  return `:is(${selector}):not(typebot-standard)`;
}
