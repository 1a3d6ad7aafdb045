/** @jsxImportSource preact */
import { safeLink } from "../conversation/links.ts";
import type { Bubble } from "../conversation/step.ts";
import type { Entry, WithAvatar } from "../conversation/transcript.ts";
import type { Words } from "../conversation/words.ts";
import { AnswerBubble } from "./Answer.tsx";
import { Avatar } from "./Avatar.tsx";
import { bubbleKind } from "./bubbles/index.ts";

type Avatars = { readonly hostAvatar: string | undefined; readonly guestAvatar: string | undefined };

type Props = Avatars & {
  readonly entries: readonly Entry[];
  readonly words: Words;
  /** The bot's name. */
  readonly name: string;
};

/** The conversation, as a live log: screen readers announce what is added. */
export function Transcript({ entries, words, name, hostAvatar, guestAvatar }: Props) {
  const ids = new Map([
    [askingIndex(entries), "question"],
    [entries.findLastIndex(({ kind }) => kind === "answer"), lastAnswerId],
  ]);
  return (
    <div class="transcript" role="log" aria-label={words.conversation}>
      {chunksOf(entries).map((chunk) => (
        <div key={chunk.first} class={`typebot-chat-chunk is-${chunk.kind}`}>
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
      ))}
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

type Chunk = WithAvatar & { readonly kind: Entry["kind"]; readonly first: number; readonly entries: Entry[] };

/** Groups consecutive entries of one side, which share an avatar. */
function chunksOf(entries: readonly Entry[]): Chunk[] {
  const chunks: Chunk[] = [];
  for (const [index, entry] of entries.entries()) {
    const last = chunks.at(-1);
    if (entry.kind === "bubble" && isEmpty(entry.bubble)) continue;
    const avatar: WithAvatar = "avatar" in entry ? { avatar: entry.avatar } : {};
    const goesOn = last?.kind === entry.kind && last.avatar === avatar.avatar;
    if (goesOn && last.first + last.entries.length === index) last.entries.push(entry);
    else chunks.push({ kind: entry.kind, first: index, entries: [entry], ...avatar });
  }
  return chunks;
}

/** The last bubble with words after the last answer. */
function askingIndex(entries: readonly Entry[]): number | undefined {
  const index = entries.findLastIndex((entry) => entry.kind === "answer" || isWords(entry));
  const entry = entries[index];
  return entry && isWords(entry) ? index : undefined;
}

function isWords(entry: Entry): boolean {
  return entry.kind === "bubble" && entry.bubble.type === "text" && !isEmpty(entry.bubble);
}

function isEmpty(bubble: Bubble): boolean {
  const kind = bubbleKind(bubble);
  return !kind || (kind.isEmpty?.(bubble.content) ?? false);
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
