import { make } from "../browser/elements.ts";
import { type ImportFrom, paintFrame } from "./accent.ts";
import { delayOf, queryOfPage, readObject, upgradeProperty } from "./attributes.ts";
import type { EmbeddedChat, EmbedOptions } from "./chat.tsx";
import type { ChatEventName } from "./events.ts";
import { defaultWords, type Frame, type FrameContext, type FrameWords } from "./frame.ts";
import { openByItself } from "./opening.ts";
import type { ChatEvents } from "./package/chat-events.ts";
import { type ElementMemory, isMarked, isMarkedClosed, mark, markClosed } from "./storage.ts";
import { runAfter, runWhenSeen } from "./timers.ts";

export type Kind = "inline" | "bubble" | "popup";

/** The functions and data that an element gets from the script that defines it. The chat is loaded on demand. */
export type ElementParts = {
  readonly kind: Kind;
  makeFrame(events: FrameContext): Frame;
  readonly sheet: CSSStyleSheet;
  readonly nonce: string;
  loadChat(): Promise<{ mountChat(place: EmbedOptions): EmbeddedChat }>;
  readonly importFrom: ImportFrom;
};

type Listener<Name extends ChatEventName> = ((detail: ChatEvents[Name]) => void) | null;

/** The elements that are connected to the document. */
export const connectedElements = new Set<ParleyElement>();

/** A chat in a page of another site. The README of this folder describes its attributes, methods and events. */
export class ParleyElement extends HTMLElement {
  static readonly observedAttributes: readonly string[] = [
    ...["bot", "host", "label", "close-label", "dismiss-label", "width", "placement", "icon", "icon-color"],
    ...["button-color", "button-size", "button-hidden", "preview-avatar"],
  ];

  // The properties are only declared, because initializers would overwrite values that the page set before.
  declare onInit?: Listener<"init">;
  declare onInput?: Listener<"input">;
  declare onAnswer?: Listener<"answer">;
  declare onMessage?: Listener<"message">;
  declare onEnd?: Listener<"end">;
  declare onOpen?: Listener<"open">;
  declare onClose?: Listener<"close">;

  readonly #parts: ElementParts;
  readonly #frame: Frame;
  readonly #shell = document.createElement("div");
  #words: FrameWords = defaultWords;
  readonly #memory: ElementMemory = {};
  #prefilled: Readonly<Record<string, unknown>> = {};
  #chat: EmbeddedChat | undefined;
  #queued: ((chat: EmbeddedChat) => void)[] = [];
  #mount: AbortController | undefined;
  /** Aborted when the element is removed from the document. */
  #connected: AbortController | undefined;
  #isOpen = false;
  #isRemembering = false;

  constructor(parts: ElementParts) {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [parts.sheet];
    this.#shell.className = "shell";
    root.append(this.#shell);
    this.#parts = parts;
    this.#frame = parts.makeFrame({
      host: this,
      shell: this.#shell,
      open: () => this.open(),
      close: () => this.close(),
      toggle: () => this.toggle(),
      dismissPreview: () => this.#dismissPreview(),
    });
  }

  /** The bot's public id. */
  get bot(): string {
    return this.getAttribute("bot") ?? "";
  }

  set bot(publicId: string) {
    this.setAttribute("bot", publicId);
  }

  /** The URL of the service; empty for the origin of the script. */
  get host(): string {
    return (this.getAttribute("host") ?? "").replace(/\/+$/, "");
  }

  set host(address: string) {
    this.setAttribute("host", address);
  }

  /** Values for variables of the flow, which are set when the chat starts. */
  get prefilledVariables(): Readonly<Record<string, unknown>> {
    return { ...readObject(this.getAttribute("prefilled-variables")), ...this.#prefilled };
  }

  set prefilledVariables(values: unknown) {
    this.#prefilled = typeof values === "object" && values !== null ? { ...values } : {};
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  connectedCallback(): void {
    for (const name of ["bot", "host", "prefilledVariables"]) upgradeProperty(this, name);
    const connected = new AbortController();
    this.#connected = connected;
    connectedElements.add(this);
    this.#frame.refresh(this.#words);
    paintFrame(this, this.#frame, this.#parts.importFrom, connected.signal);
    if (this.#parts.kind === "inline") runWhenSeen(this, () => this.#start({ isFocused: false }), connected.signal);
    else this.#autoOpen(connected.signal);
  }

  /** If this method exists, the chat keeps running while the page moves the element. */
  connectedMoveCallback(): void {}

  disconnectedCallback(): void {
    connectedElements.delete(this);
    this.#connected?.abort();
    this.#end();
    this.#isOpen = false;
    this.#frame.setOpen?.(false, false);
    this.#frame.setPreview?.(undefined);
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (!this.isConnected || before === now || this.#connected === undefined) return;
    this.#frame.refresh(this.#words);
    if (name !== "bot" && name !== "host") return;
    paintFrame(this, this.#frame, this.#parts.importFrom, this.#connected.signal);
    this.reset();
  }

  /** Opens a bubble or a popup. */
  open(): void {
    this.#setOpen(true, { isAsked: true });
  }

  /** Closes a bubble or a popup without changing its chat. */
  close(): void {
    this.#setOpen(false, { isAsked: true });
  }

  toggle(): void {
    this.#setOpen(!this.#isOpen, { isAsked: true });
  }

  /** Shows a message next to a closed bubble. Defaults to the message in the attribute. */
  showPreviewMessage(text?: string): void {
    const message = text ?? this.getAttribute("preview-message") ?? "";
    if (message !== "" && !this.#isOpen) this.#frame.setPreview?.(message);
  }

  hidePreviewMessage(): void {
    this.#frame.setPreview?.(undefined);
  }

  /** Adds values for variables, which are set when the chat starts. */
  setPrefilledVariables(values: Readonly<Record<string, unknown>>): void {
    this.#prefilled = { ...this.#prefilled, ...values };
  }

  /** Sends a command to the flow, which receives it with a Command event. */
  sendCommand(command: string): void {
    this.#withChat((chat) => chat.sendCommand(command));
  }

  /** Fills in the open field. */
  setInputValue(value: string): void {
    this.#withChat((chat) => chat.setInputValue(value));
  }

  /** Sends the open form. */
  submitInput(): void {
    this.#withChat((chat) => chat.submitInput());
  }

  /** Draws the chat again in its current state. */
  reload(): void {
    const wasMounted = this.#mount !== undefined;
    this.#end();
    if (wasMounted) this.#start({ isFocused: false });
  }

  /** Removes the stored chat. A chat that is already shown starts again. */
  reset(): void {
    this.#memory.remembered = undefined;
    this.#memory.isForgotten = true;
    this.reload();
  }

  /** Removes the element and its chat from the page. */
  unmount(): void {
    this.remove();
  }

  #setOpen(isOpen: boolean, { isAsked }: { isAsked: boolean }): void {
    if (this.#parts.kind === "inline" || isOpen === this.#isOpen || !this.isConnected) return;
    this.#isOpen = isOpen;
    // A chat that the visitor or the page has closed is not opened automatically again.
    if (isAsked) markClosed(this.#memory, this.#name(), !isOpen);
    if (isOpen) this.hidePreviewMessage();
    this.#frame.setOpen?.(isOpen, isAsked);
    if (isOpen && this.#chat && isAsked) this.#chat.focus();
    if (isOpen) this.#start({ isFocused: isAsked || this.#parts.kind === "popup" });
    this.#rememberOpen();
    this.#emit(isOpen ? "open" : "close", {});
  }

  #start({ isFocused }: { isFocused: boolean }): void {
    if (this.#mount || !this.isConnected || this.bot === "") return;
    const mount = new AbortController();
    this.#mount = mount;
    const { place } = this.#frame;
    this.#parts.loadChat().then(
      ({ mountChat }) => {
        if (mount.signal.aborted) return;
        const { bot, host } = this;
        const chat = mountChat({
          place,
          publicId: bot,
          host: host === "" ? undefined : host,
          name: this.#name(),
          elementMemory: this.#memory,
          prefilled: () => ({ ...queryOfPage(), ...this.prefilledVariables }),
          nonce: this.#parts.nonce,
          focusesFirstInput: isFocused,
          emit: (name, detail) => this.#emit(name, detail),
          onLanguage: ({ lang, dir }, words) => {
            Object.assign(this.#shell, { lang, dir });
            this.#words = words;
            this.#frame.refresh(words);
          },
          onRemembering: (isRemembered) => {
            this.#isRemembering = isRemembered;
            this.#rememberOpen();
          },
        });
        this.#chat = chat;
        for (const command of this.#queued.splice(0)) command(chat);
      },
      () => {
        if (mount.signal.aborted) return;
        showFailure(place, () => {
          this.#mount = undefined;
          this.#start({ isFocused: true });
        });
      },
    );
  }

  #end(): void {
    this.#mount?.abort();
    this.#mount = undefined;
    this.#chat?.unmount();
    this.#chat = undefined;
    this.#queued = [];
  }

  /** Opens the frame or its preview message, according to the element's attributes or the state on an earlier page. */
  #autoOpen(signal: AbortSignal): void {
    const isClosed = () => isMarkedClosed(this.#memory, this.#name());
    const openSoon = (): void => (isClosed() ? undefined : this.#setOpen(true, { isAsked: false }));
    if (isMarked("open", this.#name())) queueMicrotask(openSoon);
    openByItself(this, openSoon, signal);
    if (isMarked("dismissed", this.#name())) return;
    runAfter(delayOf(this.getAttribute("preview-delay")) ?? 0, () => this.showPreviewMessage(), signal);
  }

  #rememberOpen(): void {
    mark("open", this.#name(), this.#isOpen && this.#isRemembering);
  }

  /** Hides the preview message, which then does not reappear on the next page. */
  #dismissPreview(): void {
    this.hidePreviewMessage();
    mark("dismissed", this.#name(), true);
  }

  /** Distinguishes this element's chat from other chats of the same bot. */
  #name(): string {
    return this.id === "" ? this.bot : `${this.bot}#${this.id}`;
  }

  #withChat(command: (chat: EmbeddedChat) => void): void {
    if (this.#chat) command(this.#chat);
    else this.#queued.push(command);
  }

  #emit<Name extends ChatEventName>(name: Name, detail: ChatEvents[Name]): void {
    if (name === "message" && !this.#isOpen) this.#frame.countUnread?.();
    this.dispatchEvent(new CustomEvent(`parley-${name}`, { detail, bubbles: true, composed: true }));
    const listener: unknown = Reflect.get(this, `on${name.charAt(0).toUpperCase()}${name.slice(1)}`);
    if (typeof listener === "function") listener.call(this, detail);
  }
}

/** Shows that the chat's script could not be loaded, with a retry button. */
function showFailure(place: HTMLElement, tryAgain: () => void): void {
  const failure = make("div", "failure");
  const sentence = make("p", "failure-sentence");
  const button = make("button", "failure-button");
  failure.setAttribute("role", "alert");
  sentence.textContent = "The chat could not be loaded. Please check your internet connection.";
  button.type = "button";
  button.textContent = "Try again";
  button.addEventListener("click", () => {
    place.replaceChildren();
    tryAgain();
  });
  failure.append(sentence, button);
  place.replaceChildren(failure);
}
