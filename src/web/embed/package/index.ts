import type { ChatEvents } from "./chat-events.ts";

export type { ChatEvents };

/** The service that provides the chats. */
export type ParleyService = {
  /** The URL of the service, such as `https://chat.example.com`. */
  readonly host: string;
  /** The page's nonce for scripts, if the page has a nonce. */
  readonly nonce?: string | undefined;
};

type Listeners = {
  readonly [Name in keyof ChatEvents as `on${Capitalize<Name>}`]?: ((detail: ChatEvents[Name]) => void) | undefined;
};

/** The properties and event listeners of a chat's element. The service's documentation describes each of them. */
export type ParleyOptions = ParleyService &
  Listeners & {
    /** The public id of the bot. */
    readonly bot: string;
    readonly id?: string | undefined;
    readonly prefilledVariables?: Readonly<Record<string, unknown>> | undefined;
    readonly label?: string | undefined;
    readonly closeLabel?: string | undefined;
    readonly dismissLabel?: string | undefined;
    readonly defaultOpen?: boolean | undefined;
    readonly autoShowDelay?: number | undefined;
    readonly openOnScroll?: number | undefined;
    readonly openOnExit?: boolean | undefined;
    readonly placement?: "left" | "right" | undefined;
    readonly buttonColor?: string | undefined;
    readonly iconColor?: string | undefined;
    readonly buttonSize?: "medium" | "large" | undefined;
    readonly icon?: string | undefined;
    readonly buttonHidden?: boolean | undefined;
    readonly previewMessage?: string | undefined;
    readonly previewAvatar?: string | undefined;
    readonly previewDelay?: number | undefined;
    readonly width?: number | string | undefined;
  };

/** A `<parley-chat>`, `<parley-bubble>` or `<parley-popup>`, after the service's script is loaded. */
export type ParleyElement = HTMLElement & {
  readonly isOpen: boolean;
  open(): void;
  close(): void;
  toggle(): void;
  showPreviewMessage(text?: string): void;
  hidePreviewMessage(): void;
  setPrefilledVariables(values: Readonly<Record<string, unknown>>): void;
  sendCommand(command: string): void;
  setInputValue(value: string): void;
  submitInput(): void;
  reload(): void;
  reset(): void;
};

declare global {
  interface HTMLElementTagNameMap {
    "parley-chat": ParleyElement;
    "parley-bubble": ParleyElement;
    "parley-popup": ParleyElement;
  }
}

let loading: Promise<void> | undefined;

/**
 * Loads the elements from the service, once per page. Does nothing on a server. Rejects if the script cannot be loaded;
 * the next call tries again.
 */
export function loadParley({ host, nonce }: ParleyService): Promise<void> {
  if (typeof document === "undefined" || customElements.get("parley-chat")) return Promise.resolve();
  keepPlace();
  loading ??= addScript(`${host.replace(/\/+$/, "")}/embed.js`, nonce).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** Sets an element's properties, and removes earlier properties that are not set in `options`. */
export function configure(element: HTMLElement, options: ParleyOptions): void {
  for (const name of attributes) {
    const value = options[name] ?? false;
    const attribute = kebab(name);
    // Unchanged values are not set again, because setting the bot would start another chat.
    if (value === false) element.removeAttribute(attribute);
    else if (element.getAttribute(attribute) !== attributeOf(value))
      element.setAttribute(attribute, attributeOf(value));
  }
  Object.assign(element, { prefilledVariables: options.prefilledVariables ?? {} });
  for (const name of listeners) Object.assign(element, { [name]: options[name] ?? null });
}

const attributes = [
  ...(["id", "bot", "host", "label", "closeLabel", "dismissLabel", "defaultOpen", "autoShowDelay"] as const),
  ...(["openOnScroll", "openOnExit", "placement", "buttonColor", "iconColor", "buttonSize", "icon"] as const),
  ...(["buttonHidden", "previewMessage", "previewAvatar", "previewDelay", "width"] as const),
] satisfies (keyof ParleyOptions)[];

const listeners = ["onInit", "onInput", "onAnswer", "onMessage", "onEnd", "onOpen", "onClose"] as const;

/** The names of all options. */
export const optionNames: readonly (keyof ParleyOptions)[] = [
  ...attributes,
  ...listeners,
  "prefilledVariables",
  "nonce",
];

function attributeOf(value: unknown): string {
  return value === true ? "" : String(value);
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function addScript(address: string, nonce: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    if (nonce !== undefined) script.nonce = nonce;
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => {
      script.remove();
      reject(new Error(`${address} could not be loaded`));
    });
    document.head.append(script);
  });
}

/**
 * Reserves the height of a chat within the page before its element is defined, so that nothing moves. The page's own
 * rules take precedence.
 */
function keepPlace(): void {
  if (hasKeptPlace) return;
  hasKeptPlace = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(":where(parley-chat:not(:defined)){display:block;height:640px}");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

let hasKeptPlace = false;
