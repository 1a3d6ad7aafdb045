import type { WordsOf } from "../words/language.ts";
/**
 * Sample states of a chat in which the page looks different. They require no requests to the service, and the flow does
 * not have to contain them.
 */
export const sampleNames = [
  "conversation",
  "choice",
  "choices",
  "longText",
  "email",
  "number",
  "phone",
  "address",
  "date",
  "time",
  "rating",
  "ranking",
  "matrix",
  "pictures",
  "cards",
  "file",
  "signature",
  "refused",
  "typing",
  "ended",
] as const;
export type SampleName = (typeof sampleNames)[number];

type Says = WordsOf<"samplePage">["says"];

/**
 * A chat in the format of the service: the response to a start, which is played, or a session with its conversation.
 */
export type SampleChat = { readonly what: "start" | "session"; readonly chat: object };

export function sampleChat(name: SampleName, says: Says, bot: object): SampleChat {
  const first = {
    reply: null,
    messages: [bubble("hello", says.hello), bubble("offer", says.offer)],
    input: { id: "begin", type: "choice input", items: [{ id: "show", content: says.show }] },
    progress: 20,
  };
  if (name === "typing") {
    const { messages, input, progress } = first;
    return { what: "start", chat: { sessionId: "sample", resultId: null, bot, messages, input, progress } };
  }
  const chosen = { type: "text", text: says.show, replyId: "show" };
  if (name === "ended") {
    const last = { reply: chosen, messages: [bubble("bye", says.bye)], progress: 100 };
    return sessionOf(bot, [first, last], { isEnded: true, progress: 100 });
  }
  const { question, ...input } = inputOf(name, says);
  const asked = { reply: chosen, messages: [bubble("question", question)], input, progress: 60 };
  if (name !== "refused") return sessionOf(bot, [first, asked], { isEnded: false, progress: 60 });
  const refusal = {
    reply: { type: "text", text: says.typed },
    // If the author has set no message, the page uses its default message.
    messages: [bubble(input.id, invalidMessageOf(bot))],
    input,
    progress: 60,
  };
  return sessionOf(bot, [first, asked, refusal], { isEnded: false, progress: 60 });
}

/** Returns a simulated response to a reply, which thanks the visitor and asks the same question again. */
export function sampleAnswer(name: SampleName, says: Says): object {
  const { question: _, ...input } = inputOf(name, says);
  return {
    messages: [bubble("answered", says.answered)],
    input: { ...input, id: `${input.id}-again` },
    clientSideActions: [],
    progress: 80,
  };
}

function sessionOf(
  bot: object,
  steps: readonly object[],
  { isEnded, progress }: { isEnded: boolean; progress: number },
): SampleChat {
  return { what: "session", chat: { id: "sample", resultId: null, isEnded, bot, steps, progress } };
}

type SampleInput = {
  readonly question: string;
  readonly id: string;
  readonly type: string;
  readonly [key: string]: unknown;
};

function inputOf(name: SampleName, says: Says): SampleInput {
  const ask = (question: string, type: string, more: object = {}): SampleInput => ({
    question,
    id: "input",
    type,
    ...more,
  });
  const items = [
    { id: "one", content: says.one },
    { id: "two", content: says.two },
    { id: "three", content: says.three },
  ];
  const [one, two] = [
    { id: "one", title: says.one, description: says.oneText },
    { id: "two", title: says.two, description: says.twoText },
  ];
  const [green, brown] = [picture("#7aa874"), picture("#c58f5c")];
  const paths = [{ id: "take", text: says.take }];
  const labels = { placeholder: says.placeholder };
  const inputs: Partial<Record<SampleName, SampleInput>> = {
    choice: ask(says.choose, "choice input", { items }),
    choices: ask(says.choose, "choice input", { items, options: { isMultipleChoice: true } }),
    pictures: ask(says.choose, "picture choice input", {
      items: [
        { ...one, pictureSrc: green },
        { ...two, pictureSrc: brown },
      ],
    }),
    cards: ask(says.choose, "cards", {
      items: [
        { ...one, imageUrl: green, paths },
        { ...two, imageUrl: brown, paths },
      ],
    }),
    email: ask(says.email, "email input"),
    number: ask(says.number, "number input"),
    phone: ask(says.phone, "phone number input", { options: { defaultCountryCode: "GB" } }),
    refused: ask(says.address, "url input"),
    address: ask(says.address, "url input"),
    date: ask(says.date, "date input"),
    time: ask(says.time, "time input"),
    rating: ask(says.rating, "rating input", { options: { length: 5, buttonType: "Icons" } }),
    ranking: ask(says.rank, "ranking input", { items }),
    matrix: ask(says.rating, "matrix input", {
      options: { rows: [{ title: says.one }, { title: says.two }], columns: [says.bad, says.fair, says.good] },
    }),
    file: ask(says.file, "file input"),
    signature: ask(says.sign, "signature input"),
    longText: ask(says.ask, "text input", { options: { isLong: true, labels } }),
  };
  return inputs[name] ?? ask(says.ask, "text input", { options: { labels } });
}

function bubble(id: string, text: string) {
  return { id, type: "text", content: { type: "richText", richText: [{ type: "p", children: [{ text }] }] } };
}

function invalidMessageOf(bot: object): string {
  const settings: unknown = Reflect.get(bot, "settings");
  const own = at(at(at(settings, "general"), "systemMessages"), "invalidMessage");
  return typeof own === "string" && own !== "" ? own : "Invalid message. Please, try again.";
}

function at(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

/** Returns a drawing of hills as a placeholder for a photograph. */
function picture(color: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 200"><path fill="#dfe9f1" d="M0 0h320v200H0z"/><circle cx="240" cy="60" r="26" fill="#f6d27c"/><path fill="${color}" d="M0 150q80-70 160-20t160-10v80H0z"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
