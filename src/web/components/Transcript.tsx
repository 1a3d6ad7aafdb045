/** @jsxImportSource preact */
import { useMemo, useRef } from "preact/hooks";
import { safeLink } from "../conversation/links.ts";
import type { Entry } from "../conversation/transcript.ts";
import type { Words } from "../conversation/words.ts";
import { AnswerBubble } from "./Answer.tsx";
import { Avatar } from "./Avatar.tsx";
import { answerActs } from "./answer-acts/index.ts";
import { bubbleKind } from "./bubbles/index.ts";
import type { MessageActs } from "./message-acts/acts.ts";
import { askingIndex, type Chunk, chunksOf, endOf, isEmpty, noChunks } from "./transcript/chunks.ts";

type Avatars = { readonly hostAvatar: string | undefined; readonly guestAvatar: string | undefined };

type Props = Avatars & {
  readonly entries: readonly Entry[];
  readonly words: Words;
  /** The bot's name for screen readers. */
  readonly name: string;
  readonly acts: MessageActs | undefined;
};

/** The conversation as a live log. Screen readers announce new messages. */
export function Transcript(props: Props) {
  return useMemo(() => <Log {...props} />, Object.values(props));
}

function Log({ entries, ...rest }: Props) {
  const drawn = useRef(noChunks);
  drawn.current = chunksOf(entries, drawn.current);
  const { stretches } = drawn.current;
  const question = askingIndex(entries);
  const answer = entries.findLastIndex(({ kind }) => kind === "answer");
  return (
    <div class="transcript" role="log" aria-label={rest.words.conversation}>
      {stretches.map((chunks, index) => (
        <Stretch
          key={index}
          chunks={chunks}
          question={indexIn(chunks, question)}
          answer={indexIn(chunks, answer)}
          isPast={index + 2 < stretches.length}
          {...rest}
        />
      ))}
    </div>
  );
}

type StretchProps = Omit<Props, "entries"> & {
  readonly chunks: readonly Chunk[];
  /**
   * The indexes of the entry that asks for the open input and of the visitor's last answer, if they are in this part of
   * the conversation.
   */
  readonly question: number | undefined;
  readonly answer: number | undefined;
  readonly isPast: boolean;
};

/**
 * A stretch of the conversation. It is drawn again only if its content has changed. Stretches before the last two are
 * laid out only when the visitor scrolls to them. An answer therefore costs the same after ten messages and after a
 * thousand. A chunk never moves to another stretch, because browsers reload moved elements such as frames.
 */
function Stretch(props: StretchProps) {
  // Preact skips a component only if it returns the same node as before.
  return useMemo(() => <DrawnStretch {...props} />, Object.values(props));
}

function DrawnStretch({ chunks, isPast, question, answer, ...rest }: StretchProps) {
  return (
    <div class={`transcript-stretch ${isPast ? "is-past" : ""}`}>
      {chunks.map((chunk) => {
        const ids = { question: indexIn([chunk], question), answer: indexIn([chunk], answer) };
        return <ChunkView key={chunk.first} chunk={chunk} {...ids} {...rest} />;
      })}
    </div>
  );
}

/** Returns the index if it belongs to one of these chunks; otherwise undefined. */
function indexIn(chunks: readonly Chunk[], index: number | undefined): number | undefined {
  return index !== undefined && index >= (chunks[0]?.first ?? 0) && index < endOf(chunks.at(-1)) ? index : undefined;
}

type ChunkProps = Omit<StretchProps, "chunks" | "isPast"> & { readonly chunk: Chunk };

function ChunkView(props: ChunkProps) {
  return useMemo(() => <DrawnChunk {...props} />, Object.values(props));
}

function DrawnChunk({ chunk, question, answer, words, name, hostAvatar, guestAvatar, acts }: ChunkProps) {
  const ids = new Map([
    [question, "question"],
    [answer, lastAnswerId],
  ]);
  return (
    <div class={`typebot-chat-chunk is-${chunk.kind}`}>
      {chunk.kind === "bubble" && <Speaker name={name} />}
      {chunk.kind === "answer" && <Speaker name={words.you} />}
      {chunk.kind === "bubble" && <SideAvatar address={hostAvatar} own={chunk.avatar} />}
      <div class="chunk-entries">
        {chunk.entries.map((entry, index) => (
          <div
            key={chunk.first + index}
            class={entry.kind === "answer" ? "guest-container" : "host-container"}
            id={ids.get(chunk.first + index)}
          >
            <EntryView entry={entry} words={words} />
            {acts && <acts.View {...{ acts, entry, words }} isLastAnswer={answer === chunk.first + index} />}
          </div>
        ))}
      </div>
      {chunk.kind === "answer" && <SideAvatar address={guestAvatar} own={chunk.avatar} />}
    </div>
  );
}

type SideProps = { address: string | undefined; own?: string | undefined; isHidden?: boolean };

/**
 * The avatar next to messages: the messages' own avatar, or the theme's avatar. Nothing is shown if the theme disables
 * the avatar.
 */
function SideAvatar({ address, own, isHidden }: SideProps) {
  if (address === undefined) return null;
  return (
    <div class={`typebot-avatar-container ${isHidden ? "is-hidden" : ""}`}>
      <Avatar address={own ?? address} />
    </div>
  );
}

/**
 * The name of the speaker, which screen readers announce once for consecutive messages. It is outside the bubble that
 * names the open field.
 */
function Speaker({ name }: { readonly name: string }) {
  return <span class="visually-hidden">{name}: </span>;
}

export const lastAnswerId = "last-answer";

/**
 * Returns the id of the bubble that asks for the open input and names its field. Undefined if there is no such bubble.
 */
export function questionId(entries: readonly Entry[]): string | undefined {
  return askingIndex(entries) === undefined ? undefined : "question";
}

type DotsProps = {
  readonly avatar: string | undefined;
  readonly entries: readonly Entry[];
};

/** Three dots, which show that the bot is typing. */
export function Dots({ avatar, entries }: DotsProps) {
  // If the last entry is a bubble, its avatar is already shown.
  const isNew = entries.at(-1)?.kind !== "bubble";
  return (
    <div class={`typebot-chat-chunk typebot-loading-chunk ${isNew ? "is-new" : ""}`}>
      <SideAvatar address={avatar} isHidden={!isNew} />
      <div class="chunk-entries" aria-hidden="true">
        <div class="host-container">
          <div class="typebot-host-bubble is-typing">
            <div class="bubble-typing">
              <span class="bubble1" />
              <span class="bubble2" />
              <span class="bubble3" />
            </div>
          </div>
        </div>
      </div>
    </div>
  );
}

function EntryView({ entry, words }: { readonly entry: Entry; readonly words: Words }) {
  switch (entry.kind) {
    case "bubble": {
      const { id, notice, content, unfinished } = entry.bubble;
      const View = isEmpty(entry.bubble) ? undefined : bubbleKind(entry.bubble)?.View;
      const Mark = unfinished ? answerActs()?.Mark : undefined;
      return (
        <>
          {View && <View id={id} content={notice ?? content} words={words} />}
          {Mark && <Mark why={unfinished} words={words} />}
        </>
      );
    }
    case "answer":
      return <AnswerBubble answer={entry.answer} words={words} />;
    case "note":
      return <Note text={entry.text} link={entry.link} />;
    case "question":
      return <entry.View />;
    default:
      return entry satisfies never;
  }
}

function Note({ text, link }: { readonly text: string; readonly link: string | undefined }) {
  const href = safeLink(link);
  if (href === undefined) return <p class="chat-note">{text}</p>;
  return (
    <p class="chat-note">
      <a class="typebot-button note-link" href={href} rel="noopener noreferrer">
        {text}
      </a>
    </p>
  );
}
