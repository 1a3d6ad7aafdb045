/** @jsxImportSource preact */
import { useMemo, useRef } from "preact/hooks";
import { safeLink } from "../conversation/links.ts";
import type { Entry } from "../conversation/transcript.ts";
import type { Words } from "../conversation/words.ts";
import { AnswerBubble } from "./Answer.tsx";
import { Avatar } from "./Avatar.tsx";
import { bubbleKind } from "./bubbles/index.ts";
import { askingIndex, type Chunk, chunksOf, noChunks } from "./chunks.ts";

type Avatars = { readonly hostAvatar: string | undefined; readonly guestAvatar: string | undefined };

type Props = Avatars & {
  readonly entries: readonly Entry[];
  readonly words: Words;
  /** The bot's name. */
  readonly name: string;
};

/** The conversation, as a live log: screen readers announce what is added. */
export function Transcript({ entries, ...rest }: Props) {
  const drawn = useRef(noChunks);
  drawn.current = chunksOf(entries, drawn.current);
  const { chunks } = drawn.current;
  const question = askingIndex(entries);
  const answer = entries.findLastIndex(({ kind }) => kind === "answer");
  const stretches = Array.from({ length: Math.ceil(chunks.length / stretchChunks) }, (_, index) =>
    chunks.slice(index * stretchChunks, (index + 1) * stretchChunks),
  );
  return (
    <div class="transcript" role="log" aria-label={rest.words.conversation}>
      {stretches.map((stretch, index) => (
        <Stretch
          key={index}
          chunks={stretch}
          question={indexIn(stretch, question)}
          answer={indexIn(stretch, answer)}
          isPast={index + 2 < stretches.length}
          {...rest}
        />
      ))}
    </div>
  );
}

/**
 * A stretch of the conversation is drawn again only when something of it has changed, and those before the last two are laid out only where the visitor looks at
 * them: an answer costs the same after ten messages and after a thousand. A chunk stays in its stretch, since what moves in a document loads anew.
 */
const stretchChunks = 16;

type StretchProps = Omit<Props, "entries"> & {
  readonly chunks: readonly Chunk[];
  /** The entry that asks for the open input, and the visitor's last answer, where they are among these. */
  readonly question: number | undefined;
  readonly answer: number | undefined;
  readonly isPast: boolean;
};

function Stretch({ chunks, isPast, ...rest }: StretchProps) {
  return useMemo(
    () => (
      <div class={`transcript-stretch ${isPast ? "is-past" : ""}`}>
        {chunks.map((chunk) => (
          <ChunkView
            key={chunk.first}
            {...rest}
            chunk={chunk}
            question={indexIn([chunk], rest.question)}
            answer={indexIn([chunk], rest.answer)}
          />
        ))}
      </div>
    ),
    [...chunks, isPast, ...Object.values(rest)],
  );
}

/** The index, where it is of one of these chunks. */
function indexIn(chunks: readonly Chunk[], index = -1): number | undefined {
  return chunks.some(({ first, entries }) => index >= first && index < first + entries.length) ? index : undefined;
}

type ChunkProps = Omit<StretchProps, "chunks" | "isPast"> & { readonly chunk: Chunk };

function ChunkView(props: ChunkProps) {
  return useMemo(() => drawChunk(props), Object.values(props));
}

function drawChunk({ chunk, question, answer, words, name, hostAvatar, guestAvatar }: ChunkProps) {
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
          </div>
        ))}
      </div>
      {chunk.kind === "answer" && <SideAvatar address={guestAvatar} own={chunk.avatar} />}
    </div>
  );
}

type SideProps = { address: string | undefined; own?: string | undefined; isHidden?: boolean };

/** The theme's avatar beside messages, or their own in its place; none where the theme has none. */
function SideAvatar({ address, own, isHidden }: SideProps) {
  if (address === undefined) return null;
  return (
    <div class={`typebot-avatar-container ${isHidden ? "is-hidden" : ""}`}>
      <Avatar address={own ?? address} />
    </div>
  );
}

/** The speaker: screen readers announce it once for consecutive messages, and it is no part of the question that names a field. */
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
  // Where bubbles continue, the avatar is beside them already.
  const isNew = entries.at(-1)?.kind !== "bubble";
  return (
    <div class={`typebot-chat-chunk typebot-loading-chunk ${isNew ? "is-new" : ""}`}>
      <SideAvatar address={avatar} isHidden={!isNew} />
      <div class="chunk-entries" aria-hidden="true">
        <div class="host-container">
          <div class="typebot-host-bubble bubble-typing">
            <span />
            <span />
            <span />
          </div>
        </div>
      </div>
    </div>
  );
}

function EntryView({ entry, words }: { readonly entry: Entry; readonly words: Words }) {
  switch (entry.kind) {
    case "bubble": {
      const View = bubbleKind(entry.bubble)?.View;
      return View ? (
        <View id={entry.bubble.id} content={entry.bubble.notice ?? entry.bubble.content} words={words} />
      ) : null;
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
