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
  /** The bot's name. */
  readonly name: string;
  readonly acts: MessageActs | undefined;
};

/** The conversation, as a live log: screen readers announce what is added. */
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
  /** The entry that asks for the open input, and the visitor's last answer, if they are among these entries. */
  readonly question: number | undefined;
  readonly answer: number | undefined;
  readonly isPast: boolean;
};

/**
 * A stretch of the conversation is drawn again only when its content has changed, and stretches before the last two are
 * laid out only if the visitor looks at them: an answer costs the same after ten messages and after a thousand. A chunk
 * stays in its stretch, since a moved part of a document reloads.
 */
function Stretch(props: StretchProps) {
  // Preact skips a component's node that it has already drawn, and no other.
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

/** The index, if it belongs to one of these chunks. */
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

/** The theme's avatar beside messages, or their own in its place; undefined if the theme has none. */
function SideAvatar({ address, own, isHidden }: SideProps) {
  if (address === undefined) return null;
  return (
    <div class={`typebot-avatar-container ${isHidden ? "is-hidden" : ""}`}>
      <Avatar address={own ?? address} />
    </div>
  );
}

/**
 * The speaker: screen readers announce it once for consecutive messages, and it is not a part of the question that
 * names a field.
 */
function Speaker({ name }: { readonly name: string }) {
  return <span class="visually-hidden">{name}: </span>;
}

/** The id of the visitor's last answer. */
export const lastAnswerId = "last-answer";

/** The id of the bubble that asks for the open input, which names its field. */
export function questionId(entries: readonly Entry[]): string | undefined {
  return askingIndex(entries) === undefined ? undefined : "question";
}

type DotsProps = {
  readonly avatar: string | undefined;
  readonly entries: readonly Entry[];
};

/** Three dots: the bot is typing. */
export function Dots({ avatar, entries }: DotsProps) {
  // If bubbles continue a message, its avatar is already shown.
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
