import { make } from "../browser/elements.ts";
import { bubbleFrame } from "./bubble.ts";
import { connectedElements, type ElementParts, type Kind, ParleyElement } from "./element.ts";
import frameStyles from "./frame.css" with { type: "text" };
import type { Frame, FrameContext } from "./frame.ts";
import { openOnClick } from "./opening.ts";
import { popupFrame } from "./popup.ts";

/** Path of the chat's script on the service; the bundler defines it. */
declare const chatPath: string;

/** Selects the elements that a command is for: the element with this id; without an id, every element of the page. */
type Target = { readonly id?: string };

/** Commands for the chats of a page, as `window.Parley`. */
const commands = {
  open: (target?: Target) => each(target, (element) => element.open()),
  close: (target?: Target) => each(target, (element) => element.close()),
  toggle: (target?: Target) => each(target, (element) => element.toggle()),
  showPreviewMessage: (text?: string, target?: Target) => each(target, (element) => element.showPreviewMessage(text)),
  hidePreviewMessage: (target?: Target) => each(target, (element) => element.hidePreviewMessage()),
  setPrefilledVariables: (values: Readonly<Record<string, unknown>>, target?: Target) =>
    each(target, (element) => element.setPrefilledVariables(values)),
  sendCommand: (command: string, target?: Target) => each(target, (element) => element.sendCommand(command)),
  setInputValue: (value: string, target?: Target) => each(target, (element) => element.setInputValue(value)),
  submitInput: (target?: Target) => each(target, (element) => element.submitInput()),
  reload: (target?: Target) => each(target, (element) => element.reload()),
  reset: (target?: Target) => each(target, (element) => element.reset()),
  unmount: (target?: Target) => each(target, (element) => element.unmount()),
} as const;

function each(target: Target | undefined, run: (element: ParleyElement) => void): void {
  for (const element of aimedAt(target)) run(element);
}

function aimedAt(target: Target | undefined): ParleyElement[] {
  return [...connectedElements].filter(({ id }) => target?.id === undefined || id === target.id);
}

/** Imports a path from the service that an element names, by default from the origin of this script. */
function serviceImporter(): ElementParts["importFrom"] {
  const own = document.currentScript;
  const base = own instanceof HTMLScriptElement ? own.src : undefined;
  return (host, path) => import(host === "" ? (base === undefined ? path : new URL(path, base).href) : host + path);
}

/**
 * Loads the chat. A classic script of another origin cannot import relatively, but knows its own address; for a module
 * the reverse is true. After a failure another address is used, since some browsers cache a failed import by its
 * address.
 */
function chatLoader(): ElementParts["loadChat"] {
  const own = document.currentScript;
  const address = own instanceof HTMLScriptElement ? new URL(chatPath, own.src).href : chatPath;
  let failures = 0;
  return async () => {
    const attempted = failures;
    try {
      return await import(attempted === 0 ? address : address.replace(/[^/]+$/, `attempts/${attempted}/$&`));
    } catch (error) {
      // Several elements may wait for the same attempt, whose failure counts once.
      failures = attempted + 1;
      throw error;
    }
  };
}

/** The page's nonce, which this script has if the page uses one. */
function ownNonce(): string {
  const own = document.currentScript ?? document.querySelector<HTMLScriptElement>('script[nonce][src*="/embed.js"]');
  return (own instanceof HTMLScriptElement && own.nonce) || "";
}

function define(name: string, kind: Kind, makeFrame: ElementParts["makeFrame"], shared: Shared): void {
  const parts = { ...shared, kind, makeFrame };
  customElements.define(
    name,
    class extends ParleyElement {
      constructor() {
        super(parts);
      }
    },
  );
}

type Shared = Pick<ElementParts, "sheet" | "nonce" | "loadChat" | "importFrom">;

// A page may load the script twice, so the elements are defined only once.
if (!customElements.get("parley-chat")) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(frameStyles);
  const shared: Shared = { sheet, nonce: ownNonce(), loadChat: chatLoader(), importFrom: serviceImporter() };
  Object.defineProperty(window, "Parley", { value: Object.freeze(commands) });
  const frames: readonly (readonly [string, Kind, (events: FrameContext) => ReturnType<typeof inlineFrame>])[] = [
    ["parley-chat", "inline", inlineFrame],
    ["parley-bubble", "bubble", bubbleFrame],
    ["parley-popup", "popup", popupFrame],
  ];
  for (const [name, kind, makeFrame] of frames) define(name, kind, makeFrame, shared);
  openOnClick((id) => {
    const opened = aimedAt(id === undefined ? {} : { id });
    for (const element of opened) element.open();
    return opened.length > 0;
  });
}

/** The chat within the text of the page. */
function inlineFrame({ host, shell }: FrameContext): Frame {
  const box = make("div", "inline");
  const place = make("div", "place");
  box.append(place);
  shell.append(box);
  box.setAttribute("role", "region");
  return {
    place,
    refresh: (words) => box.setAttribute("aria-label", host.getAttribute("label") ?? words.chat),
  };
}
