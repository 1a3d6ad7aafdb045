/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Theme } from "../../../core/interpreter/schemas/theme.ts";
import { textAt } from "../../conversation/read.ts";
import type { PageSettings } from "../../conversation/settings.ts";
import type { Entry } from "../../conversation/transcript.ts";
import type { Words } from "../../conversation/words.ts";
import { isSoundOff, turnSound } from "./sound-off.ts";

export type HeaderActsProps = {
  readonly header: NonNullable<NonNullable<Theme["general"]>["header"]>;
  readonly entries: readonly Entry[];
  readonly may: Pick<PageSettings, "mayStartAgain" | "answers">;
  readonly isEnded: boolean;
  readonly words: Words;
  /** The URL of the page; empty in embedded chats and previews. */
  readonly action: string;
  /** Starts a new chat on this page. Undefined until a script handles the button. */
  readonly onStartAgain: (() => void) | undefined;
};

/**
 * The buttons of the header: one starts a new chat once the visitor has answered, and one mutes sounds that play
 * automatically.
 */
export function HeaderActs({ header, entries, words, ...rest }: HeaderActsProps) {
  const { isEnded, may, action, onStartAgain } = rest;
  const { hasNewChat } = may.answers;
  const label = hasNewChat ? words.newChat : words.startAgain;
  const [isAsking, setAsking] = useState(false);
  const isAnswered = entries.some(({ kind }) => kind === "answer");
  const startAgain = (): void => {
    setAsking(false);
    onStartAgain?.();
  };
  const cancel = () => setAsking(false);
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key === "Escape") cancel();
  };
  if (isAsking && isAnswered) {
    return (
      <div class="header-acts">
        <button type="button" class="quiet-button" onClick={cancel} onKeyDown={onKeyDown}>
          {words.cancel}
        </button>
        <button type="button" class="quiet-button is-main" ref={focus} onClick={startAgain} onKeyDown={onKeyDown}>
          {label}
        </button>
      </div>
    );
  }
  const press = (event: MouseEvent): void => {
    if (!onStartAgain || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (isEnded) startAgain();
    else setAsking(true);
  };
  const restart = {
    class: "sign-button header-act",
    title: label,
    "aria-label": label,
    onClick: press,
    children: <Icon>{hasNewChat ? newLines : restartLines}</Icon>,
  };
  return (
    <div class="header-acts">
      {header.isSoundShown && entries.some(hasSound) && <SoundSwitch words={words} />}
      {(hasNewChat || (header.isRestartShown && may.mayStartAgain)) &&
        isAnswered &&
        (action === "" ? <button type="button" {...restart} /> : <a href={action} {...restart} />)}
    </div>
  );
}

/** Focuses a button of the confirmation, which replaces the button that had the focus. */
function focus(button: HTMLElement | null): void {
  button?.focus();
}

function SoundSwitch({ words }: { readonly words: Words }) {
  const [isOff, setOff] = useState(false);
  // The server does not know whether sounds are muted, so hydration starts with the server's rendering.
  useEffect(() => setOff(isSoundOff()), []);
  const turn = ({ target }: MouseEvent): void => {
    setOff(!isOff);
    turnSound(isOff, target instanceof Element ? target.closest(".typebot-container") : null);
  };
  const label = isOff ? words.turnSoundOn : words.turnSoundOff;
  return (
    <button type="button" class="sign-button header-act" title={label} aria-label={label} onClick={turn}>
      <Icon>
        <path d="M4 9.5v5h3.5L12 18V6L7.5 9.5Z" />
        <path d={isOff ? "m16 9.5 5 5m0-5-5 5" : "M15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a7.8 7.8 0 0 1 0 11"} />
      </Icon>
    </button>
  );
}

function Icon({ children }: { readonly children: ComponentChildren }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      {children}
    </svg>
  );
}

const newLines = <path d="M19.5 13v6.5h-15v-15H11M9 15l1-3.5L18 3.5l2.5 2.5-8 8Z" />;
const restartLines = <path d="M4.5 12a7.5 7.5 0 1 0 2.3-5.4L4.5 8.8M4.5 4.5v4.3h4.3" />;

function hasSound(entry: Entry): boolean {
  if (entry.kind !== "bubble") return false;
  const { type, content } = entry.bubble;
  return type === "audio" || (type === "video" && textAt(content, "url") !== undefined);
}
