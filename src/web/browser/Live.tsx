import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Theme } from "../../core/interpreter/schemas/theme.ts";
import { AskContext } from "../components/asking.ts";
import { Chat } from "../components/Chat.tsx";
import type { FormPlace } from "../components/InputForm.tsx";
import { submitByClick } from "../components/inputs/parts/submit.ts";
import type { PageSettings } from "../conversation/settings.ts";
import type { Words } from "../conversation/words.ts";
import { useFocus } from "./attention/focus.ts";
import { NewMessages, useFollower } from "./attention/following.tsx";
import type { LiveChat } from "./chat.ts";
import { useDrafts } from "./drafts.ts";

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
  /** Whether the first input is focused when the page loads, if it is a text field. */
  readonly focusesFirstInput: boolean;
  readonly isMotionReduced: boolean;
  readonly isEmbedded?: boolean;
};

/** Draws the state of a chat, and draws it again after every change. */
export function Live({
  chat,
  container,
  nonce,
  isAuthorCodeDisabled,
  focusesFirstInput,
  isMotionReduced,
  theme,
  words,
  isEmbedded,
  ...rest
}: Props) {
  const [, redraw] = useState(0);
  useLayoutEffect(() => chat.subscribe(() => redraw((count) => count + 1)), [chat]);
  const state = chat.state();
  const { entries, input, isEnded, isTyping, dynamicTheme, pause, error, refusal, notice } = state;
  const place = (input?.id ?? isEnded) && `${input?.id} ${entries.length}`;
  const follower = useFollower(container, {
    place,
    isMotionReduced,
    changes: [entries.length, place, isTyping, notice?.text],
  });
  useDrafts(container, { place, keyOf: chat.draftKey });
  useFocus(container, {
    place,
    error: error ?? refusal,
    focusesFirstInput,
    isInSight: follower.isEndInSight,
  });

  useEffect(() => {
    const open = async (event: MouseEvent): Promise<void> => {
      chat.skipTyping();
      submitByClick(event);
      const opener = event.target instanceof Element ? event.target.closest("[data-picture]") : null;
      if (!(opener instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      const { showPicture } = await import("./picture-dialog/picture-dialog.ts");
      showPicture(opener, { container, words, keepsHistory: !isEmbedded });
    };
    container.addEventListener("click", open);
    return () => container.removeEventListener("click", open);
  }, [chat, container, words, isEmbedded]);

  const last = entries.findLast((entry) => entry.kind === "bubble")?.bubble;
  useEffect(() => {
    if (last?.type !== "embed" && last?.type !== "custom-embed") return undefined;
    // Few chats contain embeds, so the code for them is loaded on demand.
    const loading = import("./author-code/embeds.ts");
    const isWaiting = pause === "embed";
    const embed = { bubble: last, container, isWaiting, say: chat.say };
    if (!isAuthorCodeDisabled) loading.then(({ fillCustomEmbed }) => fillCustomEmbed(embed, nonce));
    // If authors' code is disabled, the code of a custom embed cannot continue the chat, so the page continues it.
    else if (isWaiting && last.type === "custom-embed") chat.say(null);
    if (!isWaiting) return undefined;
    const onMessage = (event: MessageEvent) => loading.then(({ hear }) => hear(embed, event));
    addEventListener("message", onMessage);
    return () => removeEventListener("message", onMessage);
  }, [chat, container, last, pause, nonce, isAuthorCodeDisabled]);

  const background = dynamicTheme?.backgroundUrl;
  const painted = useRef(background);
  useEffect(() => {
    if (painted.current === background) return;
    const change = { from: painted.current, to: background };
    painted.current = background;
    // Few bots change their background, so the code for it is loaded on demand.
    import("./repaint.ts").then(({ repaint }) => repaint(container, theme, change));
  }, [container, theme, background]);

  return (
    <AskContext.Provider value={chat.ask}>
      <Chat
        {...rest}
        words={words}
        isEmbedded={isEmbedded}
        theme={theme}
        state={state}
        onSend={chat.send}
        onKeep={chat.keep}
        onControl={(control) => chat.control(control, rest.title)}
        onStartAgain={chat.startAgain}
        aboveDock={follower.isUnseen && <NewMessages words={words} onClick={follower.goOn} />}
      />
    </AskContext.Provider>
  );
}
