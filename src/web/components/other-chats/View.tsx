/** @jsxImportSource preact */
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { adoptStyle } from "../adopt-style.ts";
import css from "./other-chats.css" with { type: "text" };
import type { EarlierChat, OtherChats, OtherChatsProps } from "./other-chats.ts";

/** A line below the last message, with a button for a new chat and a list of the earlier chats in this browser. */
export function View({ state, ...rest }: OtherChatsProps) {
  return state.others ? <Line {...rest} state={state} others={state.others} /> : null;
}

function Line({ others, state, words, theme, settings }: OtherChatsProps & { readonly others: OtherChats }) {
  const { entries, isEnded } = state;
  const line = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  useEffect(() => others.keep(entries), [others, entries]);
  const isBegun = entries.some(({ kind }) => kind === "answer");
  const earlier = others.list();
  // The header has this button too, and so does the end of a chat, with another label.
  const isElsewhere = theme.general?.header?.isEnabled || (isEnded && settings.mayStartAgain);
  const begin = isBegun && !isElsewhere ? others.begin : undefined;
  const isShown = begin !== undefined || earlier.length > 0;
  useLayoutEffect(() => adoptStyle(line.current, css), [isShown]);
  if (!isShown) return null;
  const open = async (chat: EarlierChat): Promise<void> => {
    setOpen(false);
    await others.open(chat);
  };
  const close = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !isOpen) return;
    event.preventDefault();
    setOpen(false);
    opener.current?.focus();
  };
  return (
    <div ref={line} class={`other-chats ${isEnded ? "is-end" : ""}`}>
      {begin && (
        <button type="button" class="quiet-button" onClick={begin}>
          {words.newChat}
        </button>
      )}
      {earlier.length > 0 && (
        <button
          type="button"
          class="quiet-button"
          ref={opener}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          onKeyDown={close}
        >
          {words.earlierChats}
        </button>
      )}
      <ul id={id} class="earlier-chats" aria-label={words.earlierChats} hidden={!isOpen || earlier.length === 0}>
        {isOpen &&
          earlier.map((chat) => (
            <li key={chat.sessionId}>
              <button type="button" class="earlier-chat" onClick={() => open(chat)} onKeyDown={close}>
                <span class="earlier-words" dir="auto">
                  {chat.words || words.chat}
                </span>
                <time class="earlier-time" dateTime={chat.at}>
                  {momentIn(words.language, new Date(chat.at))}
                </time>
              </button>
            </li>
          ))}
      </ul>
    </div>
  );
}

function momentIn(language: string, moment: Date): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(moment);
}
