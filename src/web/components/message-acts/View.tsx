/** @jsxImportSource preact */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { textAt } from "../../conversation/read.ts";
import { type Source, sourcesOf } from "../../conversation/sources.ts";
import { adoptStyle } from "../adopt-style.ts";
import { useLive } from "../inputs/parts/live.ts";
import type { MessageActsProps } from "./acts.ts";

/** @jsxImportSource preact */

/** The time of a message, in the page's language. It is in the visitor's time zone, or in UTC without a script. */
function MessageTime({ at, language }: { readonly at: string; readonly language: string }) {
  const isLive = useLive(true);
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return null;
  return (
    <time
      class="message-time"
      dateTime={at}
      title={isLive ? formatted(moment, language, { dateStyle: "full", timeStyle: "short" }) : undefined}
    >
      {formatted(moment, language, isLive ? shortStyle(moment, new Date()) : { ...dayAndTime, ...worldTime })}
    </time>
  );
}

const dayAndTime = { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" } as const;
const worldTime = { timeZone: "UTC", timeZoneName: "short" } as const;

/**
 * Returns the format of a message's time. The time of a message from today has no date, and a date of this year has no
 * year.
 */
function shortStyle(moment: Date, now: Date): Intl.DateTimeFormatOptions {
  if (moment.toDateString() === now.toDateString()) return { hour: "numeric", minute: "2-digit" };
  return moment.getFullYear() === now.getFullYear() ? dayAndTime : { ...dayAndTime, year: "numeric" };
}

function formatted(moment: Date, language: string, style: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(language, style).format(moment);
}

import css from "./message-acts.css" with { type: "text" };

/**
 * The row below a message, with its time. For a model's answer, it has buttons to regenerate, copy and rate the answer;
 * for the visitor's last answer, a button to change it.
 */
export function View({ acts, entry, isLastAnswer, words }: MessageActsProps) {
  const row = useRef<HTMLDivElement>(null);
  const [status, setStatus] = useState("");
  const isAnswer = entry.kind === "bubble" && entry.bubble.isAnswer === true;
  const mayEdit = isLastAnswer && entry.kind === "answer" && !entry.answer.isUnderWay && acts.edit !== undefined;
  const mayTryAgain = acts.mayTryAgain(entry);
  const time = acts.areTimesShown && "at" in entry ? entry.at : undefined;
  const isShown =
    mayEdit || mayTryAgain || time !== undefined || (isAnswer && (acts.canCopy || acts.rate !== undefined));
  useLayoutEffect(() => adoptStyle(row.current, css), [isShown]);
  useEffect(() => acts.onShown(), [acts, entry]);
  if (!isShown) return null;
  const copy = async (): Promise<void> => {
    const isCopied = entry.kind === "bubble" && (await copyAnswer(entry.bubble.content, row.current));
    setStatus(isCopied ? words.copied : words.failed);
  };
  return (
    // The log announces messages, but not the actions below them.
    <div ref={row} class="message-acts" aria-live="off">
      {mayTryAgain && (
        <button type="button" class="try-again quiet-button" onClick={() => acts.tryAgain()}>
          {words.tryAgain}
        </button>
      )}
      {mayEdit && <Act label={words.editMessage} path={editPath} onClick={() => acts.edit?.()} />}
      {isAnswer && acts.canCopy && (
        <Act label={words.copyAnswer} path={status === words.copied ? donePath : copyPath} onClick={copy} />
      )}
      {isAnswer && acts.rate && <RatingActs {...{ acts, entry, words, onStatus: setStatus }} />}
      <span class="visually-hidden" role="status">
        {status}
      </span>
      {time !== undefined && <MessageTime at={time} language={words.language} />}
    </div>
  );
}

type RatingProps = Pick<MessageActsProps, "acts" | "entry" | "words"> & { readonly onStatus: (status: string) => void };

/**
 * Thumbs up and down. Pressing the chosen thumb again removes the rating. After a press, the visitor can add a comment.
 */
function RatingActs({ acts, entry, words, onStatus }: RatingProps) {
  const [isGood, setGood] = useState(() => acts.ratingOf(entry));
  const [isAsking, setAsking] = useState(false);
  // Another answer may have replaced this answer.
  useLayoutEffect(() => {
    setGood(acts.ratingOf(entry));
    setAsking(false);
  }, [acts, entry]);
  const send = async (next: boolean | null, said = ""): Promise<void> => {
    const before = isGood;
    setGood(next);
    setAsking(next !== null && said === "");
    const isKept = (await acts.rate?.(entry, { isGood: next, words: said })) ?? false;
    if (!isKept) setGood(before);
    onStatus(isKept ? (next === null ? "" : words.ratingSaved) : words.failed);
  };
  return (
    <>
      <Act
        label={words.goodAnswer}
        path={upPath}
        isPressed={isGood === true}
        onClick={() => send(toggled(isGood, true))}
      />
      <Act
        label={words.badAnswer}
        path={downPath}
        isPressed={isGood === false}
        onClick={() => send(toggled(isGood, false))}
      />
      {isAsking && <Words words={words} onSend={(said) => (said === "" ? setAsking(false) : send(isGood, said))} />}
    </>
  );
}

function toggled(now: boolean | null, pressed: boolean): boolean | null {
  return now === pressed ? null : pressed;
}

type WordsProps = { readonly words: MessageActsProps["words"]; readonly onSend: (said: string) => void };

function Words({ words, onSend }: WordsProps) {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    onSend(String(new FormData(event.currentTarget).get("words") ?? "").trim());
  };
  return (
    <form class="rating-words" noValidate onSubmit={submit}>
      <input
        class="rating-field"
        type="text"
        name="words"
        maxLength={1_000}
        placeholder={words.ratingWords}
        aria-label={words.ratingWords}
        dir="auto"
        onKeyDown={({ key }) => key === "Escape" && onSend("")}
      />
      <button type="submit" class="quiet-button">
        {words.send}
      </button>
    </form>
  );
}

type ActProps = {
  readonly label: string;
  /** The path of the action's icon, drawn on 24 by 24 units. */
  readonly path: string;
  readonly isPressed?: boolean;
  onClick(): void;
};

function Act({ label, path, isPressed, onClick }: ActProps) {
  return (
    <button
      type="button"
      class="message-act"
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      onClick={onClick}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={path} />
      </svg>
    </button>
  );
}

const copyPath = "M9 9h10v11H9zM15 9V4H5v11h4";
const donePath = "M5 12.5l4.5 4.5L19 7.5";
const upPath = "M7 11v9H4v-9zM7 11l4-7c1.5 0 2.5 1 2.2 2.6L12.6 10H18a2 2 0 0 1 2 2.4l-1.2 6A2 2 0 0 1 16.8 20H7";
const downPath = "M17 13V4h3v9zM17 13l-4 7c-1.5 0-2.5-1-2.2-2.6l.6-3.4H6a2 2 0 0 1-2-2.4l1.2-6A2 2 0 0 1 7.2 4H17";
const editPath = "M4 20h4L19 9l-4-4L4 16zM13 7l4 4";

/**
 * Copies an answer as text, and as HTML for programs that support formatting. Returns false if the browser does not
 * allow copying.
 */
async function copyAnswer(content: unknown, near: HTMLElement | null): Promise<boolean> {
  const text = [textAt(content, "plainText") ?? "", ...sourcesOf(content).map(lineOf)].join("\n");
  const html = textAt(content, "html") ?? "";
  try {
    const parts = { "text/plain": text, "text/html": html };
    const blobs = Object.entries(parts).map(([type, part]) => [type, new Blob([part], { type })] as const);
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
    return true;
  } catch {
    return copyBySelection(text, near);
  }
}

function lineOf({ id, title, place, url }: Source): string {
  return [`[${id}] ${title}`, place, url].filter((part) => part !== undefined).join(", ");
}

/** Copies the text through a selection, in pages without HTTPS and in frames that may not use the clipboard. */
function copyBySelection(text: string, near: HTMLElement | null): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  const focused = near?.querySelector<HTMLElement>(":focus");
  near?.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  focused?.focus({ preventScroll: true });
  return isCopied;
}
