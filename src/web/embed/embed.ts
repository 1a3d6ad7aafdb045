import { bubbleFrame } from "./bubble.ts";
import { type ElementParts, type Kind, ParleyElement, present } from "./element.ts";
import frameStyles from "./frame.css" with { type: "text" };
import type { FrameEvents } from "./frame.ts";
import { inlineFrame } from "./inline.ts";
import { popupFrame } from "./popup.ts";

/** Where the chat itself lies, from the root of the service; the bundler knows. */
declare const chatPath: string;

/** What commands are for: the element of this id; without one, every element of the page. */
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
  for (const element of [...present]) if (target?.id === undefined || element.id === target.id) run(element);
}

/**
 * Loads the chat. A classic script of another origin has no base for imports, but knows its own address; a module is the other
 * way round. After a failure it is loaded from other addresses, since some browsers remember under which ones it failed.
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
      // Several elements that waited for the same attempt have seen one failure.
      failures = attempted + 1;
      throw error;
    }
  };
}

/** The page's one-time word for scripts: this script has it, where the page uses one. */
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

type Shared = Pick<ElementParts, "sheet" | "nonce" | "loadChat">;

// A page that loads the script twice has the elements once.
if (!customElements.get("parley-chat")) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(frameStyles);
  const shared: Shared = { sheet, nonce: ownNonce(), loadChat: chatLoader() };
  Object.defineProperty(window, "Parley", { value: Object.freeze(commands) });
  const frames: readonly (readonly [string, Kind, (events: FrameEvents) => ReturnType<typeof inlineFrame>])[] = [
    ["parley-chat", "inline", inlineFrame],
    ["parley-bubble", "bubble", bubbleFrame],
    ["parley-popup", "popup", popupFrame],
  ];
  for (const [name, kind, makeFrame] of frames) define(name, kind, makeFrame, shared);
}
