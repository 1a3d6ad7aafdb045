import { isJsonObject, valueAt } from "../interpreter/flow.ts";
import type { StoredFlow } from "./document.ts";
import { otherWords, pageWords } from "./frequent-words.ts";

/** This much of a bot's texts is enough to recognise its language, and is read in a millisecond. */
const readCharacters = 4_000;

/**
 * The language of a flow's texts: one that pages have words in, undefined if it is not clear. Equal flows give equal
 * languages, whatever the release of a library; decision 026 has the measurements.
 */
export function guessLanguage(flow: Texts): string | undefined {
  let text = "";
  for (const part of textsOf(flow)) {
    text += `${part}\n`;
    if (text.length > readCharacters) break;
  }
  return languageOfText(text.slice(0, readCharacters));
}

type Texts = Partial<Pick<StoredFlow, "groups">>;

/**
 * The bot's messages, and the answers that it offers. Labels of fields and buttons are left out: most are an editor's
 * defaults.
 */
function* textsOf({ groups = [] }: Texts): Generator<string> {
  for (const block of groups.flatMap((group) => group.blocks ?? [])) {
    if (block.type === "text") yield* textOfBubble(valueAt(block, "content"));
    const items = valueAt(block, "items");
    for (const item of Array.isArray(items) ? items : []) {
      for (const name of ["content", "title", "description"]) {
        const text = valueAt(item, name);
        if (typeof text === "string") yield text;
      }
    }
  }
}

function* textOfBubble(content: unknown): Generator<string> {
  const richText = valueAt(content, "richText");
  if (Array.isArray(richText)) return yield* leavesOf(richText);
  const plain = valueAt(content, "plainText") ?? valueAt(content, "html");
  if (typeof plain === "string") yield plain.replaceAll(/<[^>]{0,200}>/g, " ");
}

/** Stored documents nest to a bounded depth, so recursion is safe. */
function* leavesOf(nodes: readonly unknown[]): Generator<string> {
  for (const node of nodes) {
    if (!isJsonObject(node)) continue;
    const { text, children } = node;
    if (typeof text === "string") yield text;
    if (Array.isArray(children)) yield* leavesOf(children);
  }
}

/** The language of a text: by its script if only one language uses it, else by its most frequent words. */
export function languageOfText(text: string): string | undefined {
  const plain = text.replaceAll(/\{\{[^}]*\}\}|https?:\S+|\S+@\S+/g, " ").normalize("NFC");
  const letters = lettersIn(plain, /\p{L}/gu);
  const isLatin = lettersIn(plain, /\p{Script=Latin}/gu) * 2 > letters;
  return isLatin ? languageOfWords(plain) : languageOfScript(plain, letters);
}

function lettersIn(text: string, script: RegExp): number {
  return text.match(script)?.length ?? 0;
}

function languageOfScript(text: string, letters: number): string | undefined {
  const isIn = (script: RegExp) => lettersIn(text, script) * 2 > letters;
  const kana = lettersIn(text, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  if (isIn(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)) {
    if (kana * 10 > letters) return "ja";
    return lettersIn(text, traditional) > lettersIn(text, simplified) ? undefined : "zh";
  }
  if (isIn(/\p{Script=Hebrew}/gu)) return "he";
  // Marathi and Nepali, then Persian, Urdu and Kurdish, have letters or words of their own in these scripts.
  if (isIn(/\p{Script=Devanagari}/gu)) return /ळ|आहे|तपाईं|\sछ[\s।]/u.test(text) ? undefined : "hi";
  if (isIn(/\p{Script=Arabic}/gu)) return /[پچژگکیٹڈےںہھەێۆڕڵ]/u.test(text) ? undefined : "ar";
  return undefined;
}

/** Characters that only one way of writing Chinese has. Pages have words in the simplified one. */
const traditional = /[們這個說對時會來國為學請嗎問從過還選擇聯繫電話號碼謝歡]/gu;
const simplified = /[们这个说对时会来国为学请吗问从过还选择联系电话号码谢欢]/gu;

function languageOfWords(text: string): string | undefined {
  const scores = new Map<string, number>();
  for (const word of text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []) {
    const languages = languagesByWord.get(word) ?? [];
    // A word that several languages have counts less for each.
    for (const language of languages) scores.set(language, (scores.get(language) ?? 0) + 1 / languages.length);
  }
  const [[best, score] = ["", 0], [, next] = ["", 0]] = [...scores].sort(([, a], [, b]) => b - a);
  return Object.hasOwn(pageWords, best) && score >= leastScore && score >= leastLead * next ? best : undefined;
}

/** Both were chosen so that no language is mistaken for another; an unclear text stays without one. */
const leastScore = 1.5;
const leastLead = 1.25;

const languagesByWord = new Map<string, string[]>();
for (const [language, words] of Object.entries({ ...pageWords, ...otherWords })) {
  for (const word of new Set(words.split(" "))) {
    languagesByWord.set(word, [...(languagesByWord.get(word) ?? []), language]);
  }
}
