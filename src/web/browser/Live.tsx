/** @jsxImportSource preact */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Theme } from "../../flow/schemas/theme.ts";
import { Chat } from "../components/Chat.tsx";
import type { FormPlace } from "../components/InputForm.tsx";
import type { PageSettings } from "../conversation/settings.ts";
import type { Words } from "../conversation/words.ts";
import type { LiveChat } from "./chat.ts";
import { repaint } from "./repaint.ts";

type Props = {
  readonly chat: LiveChat;
  readonly title: string;
  readonly theme: Theme;
  readonly settings: PageSettings;
  readonly words: Words;
  readonly place: FormPlace;
  readonly container: HTMLElement;
  readonly nonce: string;
  readonly isAuthorCodeDisabled: boolean;
  /** Whether the first input is focused when the page loads. */
  readonly focusesFirstInput: boolean;
  readonly isMotionReduced: boolean;
  /** The element that scrolls, where it is not the page: the box of an embedded chat. */
  readonly scroller?: HTMLElement;
  readonly isEmbedded?: boolean;
};

/** The live chat: draws its state, and handles focus, scrolling and embedded pages. */
export function Live({
  chat,
  container,
  nonce,
  isAuthorCodeDisabled,
  focusesFirstInput,
  isMotionReduced,
  scroller,
  theme,
  ...rest
}: Props) {
  const [, redraw] = useState(0);
  useLayoutEffect(() => chat.subscribe(() => redraw((count) => count + 1)), [chat]);
  const state = chat.state();
  const { entries, input, isTyping, dynamicTheme, pause, error, refusal, notice } = state;
  useFocus(container, { input: input && `${input.id} ${entries.length}`, error: error ?? refusal, focusesFirstInput });
  useScroll(container, {
    scroller,
    entries: entries.length,
    isMotionReduced,
    isAnswered: entries.at(-1)?.kind === "answer",
    rest: `${isTyping} ${input?.id} ${notice?.text}`,
  });

  const last = entries.findLast((entry) => entry.kind === "bubble")?.bubble;
  useEffect(() => {
    if (!last || pause !== "embed") return undefined;
    const loading = loadEmbeds();
    let isHeard = false;
    const onMessage = async (event: MessageEvent): Promise<void> => {
      const { replyToEvent } = await loading;
      const reply = replyToEvent(last, { event, container });
      if (!reply || isHeard) return;
      isHeard = true;
      chat.say(reply.message);
    };
    addEventListener("message", onMessage);
    return () => removeEventListener("message", onMessage);
  }, [chat, container, last, pause]);

  useEffect(() => {
    if (last?.type !== "custom-embed" || isAuthorCodeDisabled) return;
    const { say } = chat;
    const fill = async (): Promise<void> => {
      const { fillCustomEmbed } = await loadEmbeds();
      const element = container.querySelector(`[data-custom-embed="${CSS.escape(last.id)}"]:empty`);
      if (!(element instanceof HTMLElement)) return;
      await fillCustomEmbed(last, { element, nonce, isWaiting: pause === "embed", say });
    };
    fill().catch(() => say(null));
  }, [chat, container, last, pause, nonce, isAuthorCodeDisabled]);

  const background = dynamicTheme?.backgroundUrl;
  const painted = useRef(background);
  useEffect(() => {
    if (painted.current === background) return;
    repaint(container, theme, { from: painted.current, to: background });
    painted.current = background;
  }, [container, theme, background]);

  return <Chat {...rest} theme={theme} state={state} onSend={chat.send} />;
}

/** Few chats have embedded pages: what they need is loaded when one is met. */
const loadEmbeds = () => import("./embeds.ts");

type Focus = {
  readonly input: string | undefined;
  readonly error: string | undefined;
  readonly focusesFirstInput: boolean;
};

/** The new input takes the focus, unless the visitor is busy elsewhere on the page. */
function useFocus(container: HTMLElement, { input, error, focusesFirstInput }: Focus): void {
  const isFirst = useRef(true);
  useEffect(() => {
    if (input === undefined) return;
    const wasFirst = isFirst.current;
    isFirst.current = false;
    // At first only a text field is focused: a focused button would look pressed already.
    if (wasFirst && (!focusesFirstInput || !container.querySelector(".text-input"))) return;
    const active = activeElement(container);
    const isAnswering = active && container.contains(active) && active.closest("form") !== null;
    if (active && active !== document.body && !active.contains(container) && !isAnswering) return;
    (container.querySelector<HTMLElement>("[data-focus]") ?? container.querySelector<HTMLElement>(focusable))?.focus({
      preventScroll: true,
    });
  }, [container, input, error, focusesFirstInput]);
}

/** The focused element, also within the shadow tree that `from` is in. */
function activeElement(from: Node): Element | null {
  const root = from.getRootNode();
  return root instanceof ShadowRoot ? (root.activeElement ?? activeElement(root.host)) : document.activeElement;
}

const focusable = [
  ".typebot-input-form input:not([type=hidden])",
  ".typebot-input-form textarea",
  ".typebot-input-form select",
  ".typebot-input-form button",
].join();

/** Scrolls to new entries, unless the visitor has scrolled up to read. What the page came with does not scroll. */
function useScroll(container: HTMLElement, { scroller, entries, rest, isAnswered, isMotionReduced }: Scroll): void {
  const first = useRef({ entries, rest });
  const isScrolledUp = useScrolledUp(scroller);
  useEffect(() => {
    if (first.current.entries === entries && first.current.rest === rest) return;
    first.current = { entries: -1, rest: "" };
    if (isScrolledUp.current && !isAnswered) return;
    const behavior = isMotionReduced ? "instant" : "smooth";
    const isBox = scroller && scroller.scrollHeight > scroller.clientHeight;
    if (isBox) return scroller.scrollTo({ top: scroller.scrollHeight, behavior });
    // Another site's page is not scrolled, unless the visitor is answering.
    if (scroller && !container.contains(activeElement(container))) return;
    const block = scroller ? "nearest" : "end";
    container.querySelector(".chat-end")?.scrollIntoView({ behavior, block });
  }, [container, scroller, entries, rest, isAnswered, isMotionReduced, isScrolledUp]);
}

/** Whether the visitor has scrolled up. Only they do: the chat itself scrolls to the end. */
function useScrolledUp(scroller: HTMLElement | undefined): { readonly current: boolean } {
  const isScrolledUp = useRef(false);
  useEffect(() => {
    const box = scroller ?? document.documentElement;
    let top = box.scrollTop;
    const update = (): void => {
      const isAtEnd = box.scrollHeight - box.clientHeight - box.scrollTop < nearEndPx;
      if (isAtEnd) isScrolledUp.current = false;
      else if (box.scrollTop < top) isScrolledUp.current = true;
      top = box.scrollTop;
    };
    const source = scroller ?? document;
    source.addEventListener("scroll", update, { passive: true });
    return () => source.removeEventListener("scroll", update);
  }, [scroller]);
  return isScrolledUp;
}

const nearEndPx = 80;

type Scroll = {
  readonly scroller: HTMLElement | undefined;
  readonly entries: number;
  readonly rest: string;
  /** The last entry is the visitor's answer, which they want to see being sent. */
  readonly isAnswered: boolean;
  readonly isMotionReduced: boolean;
};
