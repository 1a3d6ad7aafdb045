/** @jsxImportSource preact */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Theme } from "../../flow/schemas/theme.ts";
import { Chat } from "../components/Chat.tsx";
import type { FormPlace } from "../components/InputForm.tsx";
import type { PageSettings } from "../conversation/settings.ts";
import type { Words } from "../conversation/words.ts";
import type { LiveChat } from "./chat.ts";
import { eventOf, fillCustomEmbed } from "./embeds.ts";
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
  /** Whether the first input takes the focus of itself. */
  readonly isFocusedAtFirst: boolean;
  readonly isMotionReduced: boolean;
  /** What scrolls where it is not the page itself: the box of an embedded chat. */
  readonly scroller?: HTMLElement;
  readonly isEmbedded?: boolean;
};

/** The chat as it lives: draws what the chat says, and sees to focus, scrolling and embedded pages. */
export function Live({
  chat,
  container,
  nonce,
  isAuthorCodeDisabled,
  isFocusedAtFirst,
  isMotionReduced,
  scroller,
  theme,
  ...rest
}: Props) {
  const [, redraw] = useState(0);
  useLayoutEffect(() => chat.subscribe(() => redraw((count) => count + 1)), [chat]);
  const shown = chat.shown();
  const { entries, input, isTyping, dynamicTheme, pause, error, refusal, notice } = shown;
  useFocus(container, { input: input && `${input.id} ${entries.length}`, error: error ?? refusal, isFocusedAtFirst });
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
    const hear = (event: MessageEvent): void => {
      const heard = eventOf(last, event);
      if (heard) chat.say(heard.message);
    };
    addEventListener("message", hear);
    return () => removeEventListener("message", hear);
  }, [chat, last, pause]);

  useEffect(() => {
    if (last?.type !== "custom-embed" || isAuthorCodeDisabled) return;
    const element = container.querySelector(`[data-custom-embed="${CSS.escape(last.id)}"]:empty`);
    if (!(element instanceof HTMLElement)) return;
    const hear = chat.say;
    fillCustomEmbed(last, { element, nonce, isWaiting: pause === "embed", hear }).catch(() => hear(null));
  }, [chat, container, last, pause, nonce, isAuthorCodeDisabled]);

  const background = dynamicTheme?.backgroundUrl;
  const painted = useRef(background);
  useEffect(() => {
    if (painted.current === background) return;
    repaint(container, theme, { from: painted.current, to: background });
    painted.current = background;
  }, [container, theme, background]);

  return <Chat {...rest} theme={theme} shown={shown} onSend={chat.send} />;
}

type Focus = {
  readonly input: string | undefined;
  readonly error: string | undefined;
  readonly isFocusedAtFirst: boolean;
};

/** The new input takes the focus, unless the visitor is busy elsewhere on the page. */
function useFocus(container: HTMLElement, { input, error, isFocusedAtFirst }: Focus): void {
  const isFirst = useRef(true);
  useEffect(() => {
    if (input === undefined) return;
    const wasFirst = isFirst.current;
    isFirst.current = false;
    // Whoever has just come is offered a field to write in, but no button that looks pressed already.
    if (wasFirst && (!isFocusedAtFirst || !container.querySelector(".text-input"))) return;
    const active = activeElement(container);
    const isAnswering = active && container.contains(active) && active.closest("form") !== null;
    if (active && active !== document.body && !active.contains(container) && !isAnswering) return;
    (container.querySelector<HTMLElement>("[data-focus]") ?? container.querySelector<HTMLElement>(focusable))?.focus({
      preventScroll: true,
    });
  }, [container, input, error, isFocusedAtFirst]);
}

/** What has the focus, seen from within a shadow tree or from the page itself. */
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

/** What is new comes into view, unless the visitor reads further up; what was there when the page came is left where it is. */
function useScroll(container: HTMLElement, { scroller, entries, rest, isAnswered, isMotionReduced }: Scroll): void {
  const first = useRef({ entries, rest });
  const isReading = useReading(scroller);
  useEffect(() => {
    if (first.current.entries === entries && first.current.rest === rest) return;
    first.current = { entries: -1, rest: "" };
    if (isReading.current && !isAnswered) return;
    const behavior = isMotionReduced ? "instant" : "smooth";
    const isBox = scroller && scroller.scrollHeight > scroller.clientHeight;
    if (isBox) return scroller.scrollTo({ top: scroller.scrollHeight, behavior });
    // Somebody else's page stays where it is, unless the visitor is answering.
    if (scroller && !container.contains(activeElement(container))) return;
    const block = scroller ? "nearest" : "end";
    container.querySelector(".chat-end")?.scrollIntoView({ behavior, block });
  }, [container, scroller, entries, rest, isAnswered, isMotionReduced, isReading]);
}

/** Whether the visitor has gone back up to what was said before. The chat itself only scrolls to the end. */
function useReading(scroller: HTMLElement | undefined): { readonly current: boolean } {
  const isReading = useRef(false);
  useEffect(() => {
    const box = scroller ?? document.documentElement;
    let top = box.scrollTop;
    const look = (): void => {
      const isAtEnd = box.scrollHeight - box.clientHeight - box.scrollTop < nearPx;
      if (isAtEnd) isReading.current = false;
      else if (box.scrollTop < top) isReading.current = true;
      top = box.scrollTop;
    };
    const source = scroller ?? document;
    source.addEventListener("scroll", look, { passive: true });
    return () => source.removeEventListener("scroll", look);
  }, [scroller]);
  return isReading;
}

const nearPx = 80;

type Scroll = {
  readonly scroller: HTMLElement | undefined;
  readonly entries: number;
  readonly rest: string;
  /** The last thing said is the visitor's, who sees to it that it is sent. */
  readonly isAnswered: boolean;
  readonly isMotionReduced: boolean;
};
