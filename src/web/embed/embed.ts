import { make } from "../browser/elements.ts";
import { bubbleFrame } from "./bubble.ts";
import { connectedElements, type ElementParts, type Kind, ParleyElement } from "./element.ts";
import frameStyles from "./frame.css" with { type: "text" };
import type { Frame, FrameContext } from "./frame.ts";
import { openOnClick } from "./opening.ts";
import { popupFrame } from "./popup.ts";

/** The path of the chat's script on the service. The bundler defines it. */
declare const chatPath: string;

/** Selects the elements for a command: those with this id, or all elements if no id is given. */
type Target = { readonly id?: string };

/** Commands for the chats of a page, available as `window.Parley`. */
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

/**
 * Returns a function that imports a path from the service that an element specifies, or from the origin of this script.
 */
function serviceImporter(): ElementParts["importFrom"] {
  const own = document.currentScript;
  const base = own instanceof HTMLScriptElement ? own.src : undefined;
  return (host, path) => import(host === "" ? (base === undefined ? path : new URL(path, base).href) : host + path);
}

/**
 * Returns a function that loads the chat. A classic script can determine its own URL, but cannot import relative paths
 * from another origin. A module can import relative paths, but cannot determine its URL. After a failure, another URL
 * is used, because some browsers cache a failed import by its URL.
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
      // If several elements wait for the same attempt, its failure counts once.
      failures = attempted + 1;
      throw error;
    }
  };
}

/** Returns the page's nonce; empty if the page has none. If the page uses a nonce, this script has it. */
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

// The elements are defined only once, because a page may load the script twice.
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

/** Draws the chat inline, within the content of the page. */
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
