import { isJsonObject, valueAt } from "../interpreter/flow.ts";
import type { StoredFlow } from "./document.ts";

/**
 * Frequent words of each page language with the Latin script. `guessLanguage` returns one of these languages or a page
 * language with another script.
 */
const pageWords: Readonly<Record<string, string>> = {
  en: "the of and to is you your are for with this that what we our have please would like how can will it be or not from yes my about which when where who do does thank thanks name hello hi welcome need want let choose select tell",
  de: "der die das und ist sie ihr ihre ihnen ihren wir uns nicht ein eine einen für mit auf wie was wo bitte den dem von zu im sind haben möchten möchtest kann können werden oder dein deine dich du ich auch wenn noch schon hallo danke vielen name heißt ja nein gerne",
  es: "el los las de que y en un una es su sus tu por para con cómo qué cuál cuándo dónde quién nos no sí muy más este esta esto tiene tienes quieres puede puedes hola gracias nombre favor del al se lo le te está son usted nuestro nuestra también como",
  fr: "le les des et est vous votre vos nous une un pour dans avec que qui quel quelle quels quelles ne pas sur au aux du ce cette ces comment quand où oui merci bonjour plus ou à être avez êtes souhaitez voulez pouvez il elle je tu ton ta tes notre sont en si nom prénom",
  it: "il lo gli di che è un una per con non sono della del dei delle nel nella alla al tuo tua tuoi suo sua come cosa quale quando dove chi sì grazie ciao buongiorno più questo questa questi vuoi puoi può hai ti si vi ci noi nostro nostra anche le nome desideri",
  nl: "de het een en van is je jij jouw uw u wij we ons onze niet voor met op hoe wat waar wie welke dat dit deze zijn hebben heeft kan kunt wil wilt graag dank bedankt hallo naam aan bij of om te er ook nog ja nee maar worden",
  pl: "nie się na jest do że jak co czy dla twój twoje twoja twojego pan pani proszę dziękujemy dziękuję cześć dzień dobry imię w z i o jaki jaka jakie gdzie kiedy kto chcesz możesz może być są masz nasz nasza nasze tak lub oraz to od po ten ta te tym jeśli przez",
  pt: "o os as de que e em um uma é não você seu sua seus suas por para com como qual quais quando onde quem nós nosso nossa obrigado obrigada olá oi nome mais este esta isto isso tem quer pode do da dos das no na ao está são também muito sim gostaria se",
  tr: "bir ve bu için ile ne nasıl nedir siz sizin size sizi ben biz bizim mı mi mu mü misiniz mısınız musunuz var yok lütfen teşekkür teşekkürler ederiz merhaba adınız isminiz evet hayır daha çok en hangi kim nerede ister istiyor olarak olan olur gibi kadar de da veya",
};

/**
 * Frequent words of further languages, so that texts in these languages are not mistaken for one of the page languages.
 */
const otherWords: Readonly<Record<string, string>> = {
  sv: "och att det är en ett du din ditt dina vi oss för med på som vad hur när var vem inte jag har kan vill av till från eller tack hej namn den om så ja nej också mer välj",
  da: "og at det er en et du din dit dine vi os for med på som hvad hvordan hvornår hvor hvem ikke jeg har kan vil af til fra eller tak hej navn den om så ja nej også mere vælg",
  no: "og at det er en et du din ditt dine vi oss for med på som hva hvordan når hvor hvem ikke jeg har kan vil av til fra eller takk hei navn den om så ja nei også mer velg",
  fi: "ja on ei se että mitä miten milloin missä kuka sinun sinä me meidän ole olet kiitos hei nimi tai voit haluat kanssa mutta myös tämä niin kun jos mikä valitse",
  ro: "și de la în cu pe un o este ești sunt nu ce cum când unde cine vă dumneavoastră ta tău noi noastră pentru sau mulțumim bună nume mai care din să vrei poți doriți alege",
  cs: "a je se na že to v jak co kdy kde kdo vás váš vaše vám my nás náš pro s nebo ne ano děkujeme děkuji ahoj dobrý den jméno jste chcete můžete prosím jaký jaká jaké který",
  ca: "el els les de que i en un una és el seu la seva per amb com què quin quina quan on qui nosaltres no sí gràcies hola nom si us plau més aquest aquesta té vol pot del al voleu us",
  hu: "a az és hogy nem egy van mi mit hogyan mikor hol ki ön önnek te neked köszönjük köszönöm szia helló név kérem kérjük vagy igen szeretne szeretnél lehet milyen melyik meg már csak",
  id: "yang dan di ke dari ini itu untuk dengan anda kamu kami apa bagaimana kapan siapa mana tidak ya terima kasih halo nama silakan atau adalah bisa akan ada pada juga ingin pilih",
  af: "die van en is jy jou ons nie vir met op hoe wat waar wie watter dat hierdie het kan wil asseblief dankie hallo naam by of om te ook nog ja nee maar word sal my ek",
  gl: "o os as de que e en un unha é non ti teu túa por para con como cal cando onde quen nós noso nosa grazas ola nome máis este esta isto ten quere pode do da dos das no na ao está son tamén moi si se cos che",
  vi: "và của là có không bạn tôi chúng cho với này đó gì như thế nào khi đâu ai cảm ơn xin chào tên vui lòng hoặc được muốn một những các ở hãy chọn",
};

/**
 * The maximum number of characters to read. This number is enough to recognise the language and takes a millisecond.
 */
const readCharacters = 4_000;

/**
 * Guesses the language of a flow's texts. Returns one of the languages of the pages, or undefined if the language is
 * unclear. Equal flows yield the same language; decision 026 contains the measurements.
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
 * Yields the bot's messages and the answers that it offers. Labels of fields and buttons are skipped because most are
 * defaults of an editor.
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

/** Yields the texts of all leaves. Recursion is safe because stored documents have a limited depth. */
function* leavesOf(nodes: readonly unknown[]): Generator<string> {
  for (const node of nodes) {
    if (!isJsonObject(node)) continue;
    const { text, children } = node;
    if (typeof text === "string") yield text;
    if (Array.isArray(children)) yield* leavesOf(children);
  }
}

/**
 * Returns the language of a text, or undefined if the language is unclear. In Latin script, the most frequent words
 * decide. Otherwise, the script and its characters decide.
 */
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
  // Other languages with the same script have distinctive letters or words: Marathi and Nepali in Devanagari, and
  // Persian, Urdu and Kurdish in Arabic.
  if (isIn(/\p{Script=Devanagari}/gu)) return /ळ|आहे|तपाईं|\sछ[\s।]/u.test(text) ? undefined : "hi";
  if (isIn(/\p{Script=Arabic}/gu)) return /[پچژگکیٹڈےںہھەێۆڕڵ]/u.test(text) ? undefined : "ar";
  return undefined;
}

/** Characters that occur only in traditional or only in simplified Chinese. The pages use simplified Chinese. */
const traditional = /[們這個說對時會來國為學請嗎問從過還選擇聯繫電話號碼謝歡]/gu;
const simplified = /[们这个说对时会来国为学请吗问从过还选择联系电话号码谢欢]/gu;

function languageOfWords(text: string): string | undefined {
  const scores = new Map<string, number>();
  for (const word of text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []) {
    const languages = languagesByWord.get(word) ?? [];
    // A word that occurs in several languages counts proportionally less for each language.
    for (const language of languages) scores.set(language, (scores.get(language) ?? 0) + 1 / languages.length);
  }
  const [[best, score] = ["", 0], [, next] = ["", 0]] = [...scores].sort(([, a], [, b]) => b - a);
  return Object.hasOwn(pageWords, best) && score >= leastScore && score >= leastLead * next ? best : undefined;
}

/**
 * The minimum score of a language and its minimum lead over the next one. They were chosen so that no language is
 * mistaken for another. If the result is unclear, no language is returned.
 */
const leastScore = 1.5;
const leastLead = 1.25;

const languagesByWord = new Map<string, string[]>();
for (const [language, words] of Object.entries({ ...pageWords, ...otherWords })) {
  for (const word of new Set(words.split(" "))) {
    languagesByWord.set(word, [...(languagesByWord.get(word) ?? []), language]);
  }
}
