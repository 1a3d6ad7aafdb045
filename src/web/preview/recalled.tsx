/** @jsxImportSource preact */
import { render } from "preact";
import { themeDefaults } from "../../core/interpreter/schemas/defaults.ts";
import { loadControls } from "../components/Ending.tsx";
import { fileNameIn } from "../components/file-names.ts";
import { loadInput } from "../components/inputs/index.ts";
import { loadKinds } from "../components/load-kinds.ts";
import { Transcript } from "../components/Transcript.tsx";
import { chooseLanguage } from "../conversation/languages/index.ts";
import type { Recalled, RecalledChat, StepNote } from "../conversation/preview-protocol.ts";
import { listAt, textAt } from "../conversation/read.ts";
import type { PageSettings } from "../conversation/settings.ts";
import { readSession, readStep, type Step } from "../conversation/step.ts";
import { type Answer, type Entry, entriesOf } from "../conversation/transcript.ts";
import type { Words } from "../conversation/words.ts";
import type { createLook } from "./look.ts";

type Tools = {
  readonly wear: ReturnType<typeof createLook>;
  readonly wordsFor: (settings: PageSettings) => Promise<Words>;
};

/**
 * Draws the chats of a result as the page showed them, with the theme of the last chat. The chats do not continue, and
 * no code of an author runs.
 */
export async function showRecalled(root: HTMLElement, recalled: Recalled, { wear, wordsFor }: Tools): Promise<void> {
  const chats = recalled.chats.map((one) => ({ ...one, session: readSession(one.chat) }));
  const last = chats.findLast(({ session }) => session.steps.length > 0) ?? chats.at(-1);
  if (last === undefined) return;
  const { bot, steps } = last.session;
  const [words] = await Promise.all([
    wordsFor(bot.settings),
    loadControls(bot.settings, bot.theme),
    ...chats.map(({ session }) => loadKinds(session.steps)),
    chats.some(({ chat, session }) => hasUnasked(chat, session)) && loadInput(withFilesAsked),
  ]);
  const { lang, dir } = chooseLanguage(bot.settings, navigator.languages);
  Object.assign(document.documentElement, { lang, dir });
  const title = bot.settings.title ?? bot.name ?? words.chat;
  document.title = title;
  wear(bot.theme, { version: bot.version, scheme: undefined });
  const { hostAvatar = {}, guestAvatar = {} } = bot.theme.chat ?? {};
  const named = steps.at(-1)?.dynamicTheme;
  const avatars = {
    hostAvatar:
      (hostAvatar.isEnabled ?? themeDefaults.isHostAvatarShown)
        ? (named?.hostAvatarUrl ?? hostAvatar.url ?? "")
        : undefined,
    guestAvatar:
      (guestAvatar.isEnabled ?? themeDefaults.isGuestAvatarShown)
        ? (named?.guestAvatarUrl ?? guestAvatar.url ?? "")
        : undefined,
  };
  render(
    <main class="typebot-chat-view">
      <div class="flex">
        <h1 class="visually-hidden">{title}</h1>
        {chats.map((chat, index) => (
          <section key={index}>
            <p class="chat-note" dir="auto">
              {chat.title}
            </p>
            <Transcript
              entries={entriesIn(chat, recalled, words)}
              words={words}
              name={title}
              {...avatars}
              acts={undefined}
            />
          </section>
        ))}
        <div class="chat-end" />
      </div>
    </main>,
    root,
  );
  document.body.classList.add("is-live");
}

type ReadChat = RecalledChat & { readonly session: ReturnType<typeof readSession> };

function entriesIn({ chat, session: { steps }, notes }: ReadChat, recalled: Recalled, words: Words): readonly Entry[] {
  const raw = listAt(chat, "steps");
  const said = steps.flatMap((step, index): Entry[] => {
    const removed = listAt(raw[index], "removedFileUrls").filter((url) => typeof url === "string");
    const isOpening = step.revision === 1 && step.reply !== null;
    const entries = entriesOf(step, isOpening ? opened : steps[index - 1]).map((entry) =>
      entry.kind === "answer" ? { ...entry, answer: withFiles(entry.answer, { ...recalled, removed, words }) } : entry,
    );
    return withNotes(entries, notes[index]);
  });
  return [...said, ...listAt(chat, "answers").map((one) => answerAlone(one, recalled, words))];
}

/** An input with attachments, so that answers are drawn with their files. */
const withFilesAsked = { id: "", type: "text input", options: { attachments: { isEnabled: true } } };

/**
 * The step before the first message of a chat that starts with a message. Contacts of messengers and some clients start
 * chats this way, but pages never do.
 */
const opened: Step = { ...readStep({}), input: withFilesAsked };

/** Whether the chat contains a message that no step asked for. */
function hasUnasked(chat: unknown, { steps }: ReadChat["session"]): boolean {
  return (steps[0]?.reply ?? null) !== null || listAt(chat, "answers").length > 0;
}

/** Returns an answer of a chat whose steps were deleted. The question is unknown. */
function answerAlone(one: unknown, recalled: Recalled, words: Words): Entry {
  const text = textAt(one, "text") ?? "";
  const urlsAt = (name: string) => listAt(one, name).flatMap((url) => (typeof url === "string" ? [url] : []));
  const removed = urlsAt("removedFileUrls");
  const { fileNames } = readStep(one);
  const attached = urlsAt("attachedFileUrls");
  const known = new Set([...attached, ...removed, ...Object.keys(fileNames)]);
  const named = text.split(", ");
  // An answer to a file input consists only of file URLs.
  const isOfFiles = named.every((url) => known.has(url));
  const files = isOfFiles ? named : attached;
  const asked = files.length > 0 ? withFilesAsked : { id: "", type: "text input" };
  const answer: Answer = { text: isOfFiles ? "" : text, files, fileNames, asked };
  return { kind: "answer", answer: withFiles(answer, { ...recalled, removed, words }) };
}

/** Inserts notes into the entries of a step. Each note follows as many messages as its `after` says. */
function withNotes(entries: readonly Entry[], notes: readonly StepNote[] = []): Entry[] {
  // The visitor's answer precedes all messages. A rejected answer is not shown.
  const answers = entries.filter(({ kind }) => kind === "answer").length;
  const place = ({ after }: StepNote): number => Math.min(answers + after, entries.length);
  const notesAt = (index: number) =>
    notes.filter((note) => place(note) === index).map(({ text }) => ({ kind: "note", text }) as const);
  return [...entries.flatMap((entry, index) => [...notesAt(index), entry]), ...notesAt(entries.length)];
}

type Files = Pick<Recalled, "files" | "removedLabel"> & { readonly removed: readonly string[]; readonly words: Words };

/**
 * Returns the answer with its private pictures and sounds. Files that are no longer stored are named instead of shown.
 */
function withFiles(answer: Answer, { files: contents, removedLabel, removed, words }: Files): Answer {
  const { fileNames, audioUrl, pictures = [] } = answer;
  const isGone = (address: string) => removed.includes(address);
  const stored = answer.files.filter((address) => !isGone(address));
  const shown = stored.flatMap((address) => (isPicture(address) ? (contents[address] ?? []) : []));
  const gone = [...answer.files, ...(audioUrl === undefined ? [] : [audioUrl])].filter(isGone);
  const names = gone.map((address) => `${removedLabel} ${fileNameIn(address, words, fileNames)}`);
  const sound = audioUrl === undefined || isGone(audioUrl) ? undefined : (contents[audioUrl] ?? audioUrl);
  return {
    ...answer,
    files: stored.filter((address) => contents[address] === undefined || !isPicture(address)),
    pictures: [...pictures, ...shown],
    audioUrl: sound,
    text: [answer.text, ...names].filter((text) => text !== "").join("\n"),
  };
}

function isPicture(address: string): boolean {
  return /\.(png|jpe?g|gif|webp|avif)$/i.test(address);
}

/** Returns the conversation as a single file with its styles and without scripts. */
export function documentOf(): string {
  const copy = document.documentElement.cloneNode(true);
  if (!(copy instanceof HTMLElement)) return "";
  for (const script of copy.querySelectorAll("script")) script.remove();
  for (const image of copy.querySelectorAll(".is-loading")) image.classList.remove("is-loading");
  const head = copy.querySelector("head");
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = policyOfFile;
  const adopted = document.createElement("style");
  adopted.textContent = document.adoptedStyleSheets
    .flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText))
    .join("\n");
  head?.prepend(policy);
  head?.append(adopted);
  for (const style of copy.querySelectorAll("style")) {
    style.removeAttribute("nonce");
    // In HTML, this text would end the author's style sheet. In CSS, both notations have the same meaning.
    style.textContent = style.textContent.replaceAll("</", "<\\/");
  }
  return `<!doctype html>\n${copy.outerHTML}\n`;
}

const media = "https: http: data:";
const policyOfFile = `default-src 'none'; img-src ${media}; media-src ${media}; style-src 'unsafe-inline' https:; font-src https: data:; frame-src https: http:`;
