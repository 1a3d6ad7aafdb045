import { delayOf, readObject, takeEarlier } from "./attributes.ts";
import type { ChatPlace, EmbeddedChat } from "./chat.tsx";
import type { ChatEventName, ChatEvents } from "./events.ts";
import { showFailure } from "./failure.ts";
import { type Frame, type FrameEvents, type FrameWords, usualWords } from "./frame.ts";
import { isMarked, mark, type Past } from "./storage.ts";
import { runAfter, runWhenSeen } from "./timers.ts";

export type Kind = "inline" | "bubble" | "popup";

/** What an element is made with: its box, the styles of that, and the chat itself, which is loaded when it is wanted. */
export type ElementParts = {
  readonly kind: Kind;
  makeFrame(events: FrameEvents): Frame;
  readonly sheet: CSSStyleSheet;
  readonly nonce: string;
  loadChat(): Promise<{ mountChat(place: ChatPlace): EmbeddedChat }>;
};

type Listener<Name extends ChatEventName> = ((detail: ChatEvents[Name]) => void) | null;

/** The elements that are in the page. */
export const present = new Set<ParleyElement>();

/** A chat in another site's page. What it does for its page is described in the README of this folder. */
export class ParleyElement extends HTMLElement {
  static readonly observedAttributes: readonly string[] = [
    ...["bot", "host", "label", "close-label", "dismiss-label", "width", "placement", "icon", "icon-color"],
    ...["button-color", "button-size", "button-hidden", "preview-avatar"],
  ];

  // Declared alone: what a page has set before this script came stays.
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
  #words: FrameWords = usualWords;
  readonly #past: Past = {};
  #prefilled: Readonly<Record<string, unknown>> = {};
  #chat: EmbeddedChat | undefined;
  #early: ((chat: EmbeddedChat) => void)[] = [];
  #visit: AbortController | undefined;
  /** Lives as long as the element is in the page. */
  #stay: AbortController | undefined;
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

  /** Address of the service; empty: where the script is from. */
  get host(): string {
    return (this.getAttribute("host") ?? "").replace(/\/+$/, "");
  }

  set host(address: string) {
    this.setAttribute("host", address);
  }

  /** Values for variables of the flow, given at the chat's start. */
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
    for (const name of ["bot", "host", "prefilledVariables"]) takeEarlier(this, name);
    const stay = new AbortController();
    this.#stay = stay;
    present.add(this);
    this.#frame.refresh(this.#words);
    if (this.#parts.kind === "inline") runWhenSeen(this, () => this.#start({ isFocused: false }), stay.signal);
    else this.#openByItself(stay.signal);
  }

  /** Moving an element within the page disturbs nothing. */
  connectedMoveCallback(): void {}

  disconnectedCallback(): void {
    present.delete(this);
    this.#stay?.abort();
    this.#end();
    this.#isOpen = false;
    this.#frame.setOpen(false, false);
    this.#frame.setPreview(undefined);
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (!this.isConnected || before === now || this.#stay === undefined) return;
    this.#frame.refresh(this.#words);
    if (name === "bot" || name === "host") this.reset();
  }

  /** Opens a bubble or a popup. */
  open(): void {
    this.#setOpen(true, { isAsked: true });
  }

  /** Closes a bubble or a popup; its chat stays as it is. */
  close(): void {
    this.#setOpen(false, { isAsked: true });
  }

  toggle(): void {
    this.#setOpen(!this.#isOpen, { isAsked: true });
  }

  /** Shows a message beside the bubble, the attribute's unless another is given. */
  showPreviewMessage(text?: string): void {
    const message = text ?? this.getAttribute("preview-message") ?? "";
    if (message !== "" && !this.#isOpen) this.#frame.setPreview(message);
  }

  hidePreviewMessage(): void {
    this.#frame.setPreview(undefined);
  }

  /** Adds values for variables, for the chat's start. */
  setPrefilledVariables(values: Readonly<Record<string, unknown>>): void {
    this.#prefilled = { ...this.#prefilled, ...values };
  }

  /** Sends a command to the flow, which listens for it with a Command event. */
  sendCommand(command: string): void {
    this.#withChat((chat) => chat.sendCommand(command));
  }

  /** Fills in the field that is open. */
  setInputValue(value: string): void {
    this.#withChat((chat) => chat.setInputValue(value));
  }

  /** Sends the form that is open. */
  submitInput(): void {
    this.#withChat((chat) => chat.submitInput());
  }

  /** Draws the chat anew, as it stands. */
  reload(): void {
    const wasThere = this.#visit !== undefined;
    this.#end();
    if (wasThere) this.#start({ isFocused: false });
  }

  /** Forgets the chat and begins a new one. */
  reset(): void {
    this.#past.remembered = undefined;
    this.#past.isForgotten = true;
    this.reload();
  }

  /** Takes the element and its chat out of the page. */
  unmount(): void {
    this.remove();
  }

  #setOpen(isOpen: boolean, { isAsked }: { isAsked: boolean }): void {
    if (this.#parts.kind === "inline" || isOpen === this.#isOpen || !this.isConnected) return;
    this.#isOpen = isOpen;
    if (isOpen) this.hidePreviewMessage();
    this.#frame.setOpen(isOpen, isAsked);
    if (isOpen && this.#chat && isAsked) this.#chat.focus();
    if (isOpen) this.#start({ isFocused: isAsked || this.#parts.kind === "popup" });
    this.#rememberOpen();
    this.#tell(isOpen ? "open" : "close", {});
  }

  #start({ isFocused }: { isFocused: boolean }): void {
    if (this.#visit || !this.isConnected || this.bot === "") return;
    const visit = new AbortController();
    this.#visit = visit;
    const { place } = this.#frame;
    this.#parts.loadChat().then(
      ({ mountChat }) => {
        if (visit.signal.aborted) return;
        const { bot, host } = this;
        const chat = mountChat({
          place,
          publicId: bot,
          host: host === "" ? undefined : host,
          name: this.#name(),
          past: this.#past,
          prefilled: () => ({
            ...Object.fromEntries(new URLSearchParams(location.search)),
            ...this.prefilledVariables,
          }),
          nonce: this.#parts.nonce,
          isFocusedAtFirst: isFocused,
          tell: (name, detail) => this.#tell(name, detail),
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
        for (const command of this.#early.splice(0)) command(chat);
      },
      () => {
        if (visit.signal.aborted) return;
        showFailure(place, () => {
          this.#visit = undefined;
          this.#start({ isFocused: true });
        });
      },
    );
  }

  #end(): void {
    this.#visit?.abort();
    this.#visit = undefined;
    this.#chat?.unmount();
    this.#chat = undefined;
    this.#early = [];
  }

  /** What the page or an earlier visit wants open or shown, without anybody pressing anything. */
  #openByItself(signal: AbortSignal): void {
    const openSoon = (): void => this.#setOpen(true, { isAsked: false });
    const showSoon = (): void => this.showPreviewMessage();
    const wasOpen = isMarked("open", this.#name());
    if (wasOpen || this.hasAttribute("default-open")) {
      queueMicrotask(openSoon);
      return;
    }
    const wasDismissed = isMarked("dismissed", this.#name());
    runAfter(delayOf(this.getAttribute("auto-show-delay")), openSoon, signal);
    if (!wasDismissed) runAfter(delayOf(this.getAttribute("preview-delay")) ?? 0, showSoon, signal);
  }

  #rememberOpen(): void {
    mark("open", this.#name(), this.#isOpen && this.#isRemembering);
  }

  /** A message that was sent away does not come back on the next page. */
  #dismissPreview(): void {
    this.hidePreviewMessage();
    mark("dismissed", this.#name(), true);
  }

  /** Tells this element's chat apart from others of the same bot. */
  #name(): string {
    return this.id === "" ? this.bot : `${this.bot}#${this.id}`;
  }

  #withChat(command: (chat: EmbeddedChat) => void): void {
    if (this.#chat) command(this.#chat);
    else this.#early.push(command);
  }

  #tell<Name extends ChatEventName>(name: Name, detail: ChatEvents[Name]): void {
    this.dispatchEvent(new CustomEvent(`parley-${name}`, { detail, bubbles: true, composed: true }));
    const listener: unknown = Reflect.get(this, `on${name.charAt(0).toUpperCase()}${name.slice(1)}`);
    if (typeof listener === "function") listener.call(this, detail);
  }
}
