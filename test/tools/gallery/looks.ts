import { isObject, type Json } from "../../../src/web/conversation/read.ts";
import type { Look } from "./cell.ts";
import { picture } from "./subjects/make.ts";

/** Returns the bot's theme in a look. A subject's own fields override it. */
export function themeOf({ surface, roundness }: Look): Json {
  const surfaceTheme = surface === "dark" ? darkTheme : surface === "image" ? imageTheme : {};
  return merge(surfaceTheme, roundness === undefined ? {} : { chat: { roundness } });
}

/** Returns the settings in a look. The right-to-left direction uses Arabic. */
export function settingsOf({ direction }: Look): Json {
  return { general: { language: direction === "rtl" ? "ar" : "en" }, typingEmulation: { enabled: false } };
}

/** An author's theme that is dark even if the visitor's system is light. */
const darkTheme = {
  general: { background: { type: "Color", content: "#171923" } },
  chat: {
    hostBubbles: { backgroundColor: "#2d3748", color: "#f7fafc" },
    guestBubbles: { backgroundColor: "#63b3ed", color: "#1a202c" },
    buttons: { backgroundColor: "#63b3ed", color: "#1a202c" },
    inputs: { backgroundColor: "#2d3748", color: "#f7fafc", placeholderColor: "#cbd5e0" },
  },
};

/** A difficult theme: white boxes and white buttons over a picture with many colours. */
const imageTheme = {
  general: { background: { type: "Image", content: picture("bubbles.wide") } },
  chat: {
    hostBubbles: { backgroundColor: "#ffffff", color: "#1a1a1a", opacity: 0.9 },
    guestBubbles: { backgroundColor: "#1f4b6e", color: "#ffffff" },
    buttons: { backgroundColor: "#ffffff", color: "#111111" },
    inputs: { backgroundColor: "#ffffff", color: "#111111" },
  },
};

/** Merges one object into another recursively. */
export function merge(under: Json, over: Json): Json {
  const merged: Record<string, unknown> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key];
    merged[key] = isObject(before) && isObject(value) ? merge(before, value) : value;
  }
  return merged;
}

/** Translates a subject's texts to the language of the look. Texts without a translation remain English. */
export function translated<Value>(value: Value, { direction }: Look): Value {
  return direction === "rtl" ? JSON.parse(JSON.stringify(value), (_key, part) => arabic.get(part) ?? part) : value;
}

const arabic = new Map<unknown, string>([
  ["Good morning. How are you?", "صباح الخير. كيف حالك؟"],
  [
    "There is a great deal to tell about our garden, so this takes more than one line, and one more.",
    "هناك الكثير مما يقال عن حديقتنا، ولذلك لا يكفي سطر واحد، بل نحتاج إلى سطر آخر بعده.",
  ],
  ["Our garden", "حديقتنا"],
  ["Opened in 1921, and never closed since.", "افتُتحت عام 1921 ولم تُغلق منذ ذلك الحين."],
  ["What grows here", "ما ينمو هنا"],
  ["In spring", "في الربيع"],
  ["Look:", "انظر:"],
  ["Listen:", "استمع:"],
  ["What is your name?", "ما اسمك؟"],
  ["Tell us about it.", "حدّثنا عن ذلك."],
  ["Ana María", "سارة"],
  ["Ana", "سارة"],
  ["Where may we write to?", "إلى أين نكتب إليك؟"],
  ["How many will come?", "كم شخصًا سيأتي؟"],
  ["Where may we call?", "على أي رقم نتصل بك؟"],
  ["Which day suits you?", "أي يوم يناسبك؟"],
  ["When will you be here?", "متى ستكون هنا؟"],
  ["Arrival", "الوصول"],
  ["Departure", "المغادرة"],
  ["At what time?", "في أي ساعة؟"],
  ["Shall we begin?", "هل نبدأ؟"],
  ["Yes, please", "نعم، من فضلك"],
  ["No", "لا"],
  ["Maybe later", "ربما لاحقًا"],
  ["Which of these may it be?", "أيّ هذه تختار؟"],
  ["Where to?", "إلى أين؟"],
  ["The sea", "البحر"],
  ["Cold, and worth it", "بارد، ويستحق"],
  ["A meadow", "مرج"],
  ["Tomatoes", "طماطم"],
  ["Which tea?", "أي شاي؟"],
  ["Green tea", "شاي أخضر"],
  ["Black tea", "شاي أسود"],
  ["White tea", "شاي أبيض"],
  ["Mint tea", "شاي بالنعناع"],
  ["Buy", "اشترِ"],
  ["Tell me more", "أخبرني المزيد"],
  ["How likely are you to tell a friend?", "ما احتمال أن تخبر صديقًا عنا؟"],
  ["Not likely", "غير محتمل"],
  ["Extremely likely", "محتمل جدًا"],
  ["How was the tea?", "كيف كان الشاي؟"],
  ["Send us a photo of the garden.", "أرسل لنا صورة للحديقة."],
  ["Send us what you have.", "أرسل لنا ما لديك."],
  ["Say it, or attach something.", "قلها، أو أرفق شيئًا."],
  ["As I saw it this morning", "كما رأيتها هذا الصباح"],
  ["Here is what you owe.", "هذا ما عليك دفعه."],
  ["Noted, thank you.", "سجّلنا ذلك، شكرًا لك."],
  ["That does not fit. Once more, please.", "هذا لا يناسب. مرة أخرى من فضلك."],
]);
