import { describe, expect, test } from "bun:test";
import { completeFlow } from "../../../src/core/flow/complete.ts";
import { factsOf } from "../../../src/core/flow/facts.ts";
import { guessLanguage, languageOfText } from "../../../src/core/flow/guess-language.ts";
import english from "../../../src/web/conversation/en/page.json";
import { loadWords, supportedLanguages } from "../../../src/web/conversation/languages/index.ts";

const bubble = (text: string) => ({ id: text, type: "text", content: { richText: [{ children: [{ text }] }] } });
const flowSaying = (...blocks: { id: string; type: string; options?: object }[]) =>
  completeFlow({ groups: [{ id: "g", blocks }] });

describe("the language of a bot's texts", () => {
  const saying: readonly (readonly [string, string])[] = [
    ["en", "Hi! What is your name? And how can we help you?"],
    ["de", "Hallo! Wie heißt du? Und was können wir für dich tun?"],
    ["es", "¡Hola! ¿Cómo te llamas? ¿Cuál es tu correo?"],
    ["fr", "Bonjour ! Quel est votre nom ? Comment pouvons-nous vous aider ?"],
    ["it", "Ciao! Come ti chiami? Qual è la tua email?"],
    ["nl", "Hallo! Hoe heet je? Waar kunnen we je mee helpen?"],
    ["pl", "Cześć! Jak masz na imię? Co możemy dla ciebie zrobić?"],
    ["pt", "Olá! Qual é o seu nome? Como podemos ajudar você?"],
    ["tr", "Merhaba! Adınız nedir? Size nasıl yardımcı olabiliriz?"],
    ["ar", "مرحبًا! ما اسمك؟ كيف يمكننا مساعدتك؟"],
    ["he", "שלום! איך קוראים לך?"],
    ["hi", "नमस्ते! आपका नाम क्या है?"],
    ["ja", "こんにちは！お名前は何ですか？"],
    ["zh", "你好！请问您的名字是什么？"],
  ];

  test.each(saying)("the language of a bot's texts is recognised as %s", (language, text) => {
    expect(guessLanguage(flowSaying(bubble(text)))).toBe(language);
  });

  test.each([
    ["Swedish", "Hej! Vad heter du? Vilken e-postadress kan vi nå dig på?"],
    ["Danish", "Hej! Hvad hedder du? Hvor tilfreds er du med vores service?"],
    ["Romanian", "Bună! Cum te numești? La ce adresă te putem contacta?"],
    ["Catalan", "Hola! Com et dius? Vols afegir alguna cosa més?"],
    ["Galician", "Ola! Como te chamas? Queres engadir algo máis?"],
    ["Afrikaans", "Hallo! Wat is jou naam? Hoe tevrede is jy met ons diens?"],
    ["Czech", "Ahoj! Jak se jmenuješ? Chcete něco dodat?"],
    ["Persian", "سلام! نام شما چیست؟"],
    ["Traditional Chinese", "您好！請問您的名字是什麼？"],
    ["Russian", "Привет! Как вас зовут?"],
    ["Korean", "안녕하세요! 이름이 무엇인가요?"],
    ["a text without words", "{{Name}} https://the.example/of/and/the 42 ?"],
    ["an empty text", ""],
    ["a word of several languages", "Hallo"],
  ])("the language of a bot's texts is unknown for %s", (_, text) => {
    expect(languageOfText(text)).toBeUndefined();
  });

  test("the language of the chat page's own texts is recognised", async () => {
    for (const language of supportedLanguages) {
      const words = Object.values(language === "en" ? english : await loadWords(language));
      expect({ language, guess: languageOfText(words.join("\n")) }).toEqual({ language, guess: language });
    }
  });

  test("the language of a bot is guessed from the items of choices", () => {
    const items = [{ content: "Ja, gerne" }, { content: "Nein, ich möchte nicht" }, { title: "Wie ist das?" }];
    const labels = { placeholder: "Type your answer here, if you like, and press the button", button: "Send" };
    const choice = { id: "c", type: "choice input", items, options: { labels } };
    expect(guessLanguage(flowSaying(choice))).toBe("de");
    expect(guessLanguage(flowSaying({ id: "t", type: "text input", options: { labels } }))).toBeUndefined();
  });

  test("the author's language setting overrides the guessed language", () => {
    const flow = flowSaying(bubble("Wie heißt du? Und was können wir für dich tun?"));
    expect(factsOf(flow).language).toBe("de");
    expect(factsOf({ ...flow, settings: { general: { language: "nl" } } }).language).toBe("nl");
  });

  test("the language of a bot's texts is recognised in the HTML of older editors", () => {
    const html = {
      id: "h",
      type: "text",
      content: { html: "<div><b>Wie</b> heißt du? Und was ist das für ein Tag?</div>" },
    };
    expect(guessLanguage(flowSaying(html))).toBe("de");
  });
});
