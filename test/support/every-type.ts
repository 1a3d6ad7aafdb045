import { blocks } from "../../src/core/blocks/index.ts";
import { idOf } from "./builder-ids.ts";
import { flowOf, says } from "./chat.ts";
import { type Connected, models } from "./every-provider.ts";

export type Block = { readonly type: string; readonly id?: string; readonly [key: string]: unknown };

type NamedBlock = Block & { readonly id: string };

/** A block, and for an input the reply of an API client. The reply null skips the input. */
export type Asking = readonly [Block, reply?: string | null];

export const pictureUrl = "https://www.example.com/picture.png";
const url = pictureUrl;
const variableId = idOf("Name");

/** A text with marks, a link and a list, as an author writes it. */
const welcome = {
  ...{ id: idOf("welcome"), type: "text" },
  content: {
    richText: [
      {
        type: "p",
        children: [
          { text: "Welcome to " },
          { text: "all", bold: true },
          { text: " of " },
          { type: "a", url: "https://www.example.com/blocks", children: [{ text: "our blocks" }] },
        ],
      },
      {
        type: "ul",
        children: ["One", "Two"].map((text) => ({ type: "li", children: [{ type: "lic", children: [{ text }] }] })),
      },
    ],
  },
};

/** The text that the fake model repeats. */
const askedOfModel = "The **area** is $r^2$:\n\n| Radius | Area |\n| --- | --- |\n| 1 | 3.14 |\n\n- first\n- second";

/** Returns the blocks in the order of a chat, with `more` before the last text. */
function everyBlock({ accounts, outsideUrl, spreadsheetId, linkedId, more = [] }: Wanted): readonly Asking[] {
  const withAccount = (type: string, options: object, kind = type, name = type): Block => ({
    ...{ id: idOf(name), type },
    options: { credentialsId: accounts[kind], ...options },
  });
  const messages = [{ id: "m1", role: "user", content: "Say yes" }];
  const webhook = { url: outsideUrl, method: "GET" };
  return [
    [welcome],
    [{ type: "image", content: { url } }],
    [{ type: "video", content: { url: "https://www.youtube.com/watch?v=abc" } }],
    [{ type: "embed", content: { url } }],
    [{ type: "audio", content: { url } }],
    [{ type: "text input", options: { variableId } }, "Ana"],
    [{ type: "number input", options: { variableId: idOf("Email") } }, "4"],
    [{ type: "email input", options: { variableId: idOf("Email") } }, "ana@example.com"],
    [{ type: "url input", options: { variableId: idOf("Address") } }, "https://www.example.com"],
    [{ type: "date input", options: { variableId: idOf("Address") } }, "24/11/2026"],
    [{ type: "time input", options: { variableId: idOf("Address") } }, "12:30"],
    [
      { type: "phone number input", options: { variableId: idOf("Address"), defaultCountryCode: "FR" } },
      "+33612345678",
    ],
    [{ type: "choice input", options: { variableId: idOf("Address") }, items: [{ id: "c1", content: "Yes" }] }, "Yes"],
    [
      {
        ...{ type: "picture choice input", options: { variableId: idOf("Address") } },
        items: [{ id: "p1", title: "Sun", pictureSrc: url }],
      },
      "Sun",
    ],
    [{ type: "rating input", options: { variableId: idOf("Address") } }, "9"],
    [
      {
        ...{ type: "ranking input", options: { variableId: idOf("Address") } },
        items: ["Price", "Calm"].map((content) => ({ id: `r${content}`, content })),
      },
      "Price\nCalm",
    ],
    [
      {
        type: "matrix input",
        options: { variableId: idOf("Address"), rows: [{ title: "Room" }], columns: ["Good", "Bad"] },
      },
      "Room: Good",
    ],
    [withAccount("address input", { variableId: idOf("Address") }, "address-search"), "12 Main Street, Springfield"],
    [{ type: "file input", options: { isRequired: false, variableId: idOf("Address") } }, null],
    [{ type: "signature input", options: { isRequired: false, variableId: idOf("Address") } }, null],
    [
      {
        ...{ type: "cards", options: { variableId: idOf("Address") } },
        items: [{ id: "k1", title: "Tea", paths: [{ id: "k1p", text: "Take it" }] }],
      },
      "k1p",
    ],
    [
      withAccount("payment input", { amount: "5", currency: "EUR", failure: { isSkipOffered: true } }, "stripe"),
      "Success",
    ],
    [
      {
        type: "Set variable",
        options: { variableId: idOf("Address"), type: "Callback address", blockId: idOf("webhook") },
      },
    ],
    [says("{{Address}}", idOf("address"))],
    [{ type: "webhook", options: { responseVariableMapping: [{ id: "w", variableId, bodyPath: "data.name" }] } }],
    [
      {
        type: "Condition",
        items: [
          {
            ...{ id: "if", outgoingEdgeId: "to rest" },
            content: { comparisons: [{ id: "is", variableId, comparisonOperator: "Equal to", value: "Grace" }] },
          },
        ],
      },
    ],
    [
      {
        type: "Code",
        options: { name: "Code", content: "setVariable('Email', 'grace@example.com')", isExecutedOnClient: false },
      },
    ],
    [{ type: "Wait", options: { secondsToWaitFor: "1" } }],
    [{ type: "Jump", options: { groupId: idOf("aside") } }],
    [{ type: "Typebot link", options: { typebotId: linkedId, mergeResults: true } }],
    [{ type: "Webhook", options: { webhook } }],
    [{ type: "Zapier", options: { webhook } }],
    [{ type: "Make.com", options: { webhook } }],
    [{ type: "Pabbly", options: { webhook } }],
    [
      withAccount(
        "Email",
        { recipients: ["team@example.com"], subject: "New", body: "{{Name}}", isCustomBody: true },
        "smtp",
      ),
    ],
    [withAccount("gmail", { action: "Send email", to: "team@example.com", subject: "New", body: "{{Name}}" })],
    [
      withAccount(
        "Google Sheets",
        {
          spreadsheetId,
          sheetId: "0",
          action: "Insert a row",
          cellsToInsert: [{ id: "s", column: "Name", value: "{{Name}}" }],
        },
        "google sheets",
      ),
    ],
    [{ type: "Google Analytics", options: { trackingId: "G-1", action: "lead" } }],
    [{ type: "Pixel", options: { pixelId: "1", eventType: "Lead" } }],
    [{ type: "Chatwoot", options: { websiteToken: "token" } }],
    [withAccount("zendesk", { action: "Open Web Widget", webWidgetKey: "widget" })],
    [withAccount("chat-node", { action: "Send Message", botId: "known-bot", message: "{{Name}}" })],
    [
      withAccount("nocodb", {
        action: "Create Record",
        tableId: "table",
        fields: [{ id: "f", key: "Name", value: "{{Name}}" }],
      }),
    ],
    [
      {
        type: "qr-code",
        options: { action: "Generate a QR Code", data: "{{Name}}", saveUrlInVariableId: idOf("Address") },
      },
    ],
    [{ id: idOf("code"), type: "image", content: { url: "{{Address}}", alt: "Your code" } }],
    [{ type: "cal-com", options: { action: "Book event", link: "ana/call" } }],
    [withAccount("segment", { action: "Track", eventName: "Lead", userId: "{{Email}}" })],
    [withAccount("posthog", { action: "Capture", event: "lead", distinctId: "{{Email}}" })],
    [withAccount("blink", { action: "Get Users", filter: { by: "User ID", value: "u-1" } })],
    [withAccount("dify-ai", { action: "Create Chat Message", query: "{{Name}}" })],
    [
      withAccount("elevenlabs", {
        action: "Convert text to speech",
        text: "{{Name}}",
        voiceId: "voice1",
        saveUrlInVariableId: idOf("Address"),
      }),
    ],
    [{ id: idOf("speech"), type: "audio", content: { url: "{{Address}}" } }],
    ...models.map((type): [Block] => [
      withAccount(type, {
        action: type === "anthropic" ? "Create Chat Message" : "Create chat completion",
        model: "echo",
        messages,
      }),
    ]),
    [withAccount("OpenAI", { task: "Create chat completion", model: "echo", messages }, "openai")],
    [
      withAccount(
        "openai",
        {
          action: "Create chat completion",
          model: "echo",
          messages: [{ id: "m2", role: "user", content: askedOfModel }],
          responseMapping: [{ id: "r", item: "Message content", variableId: idOf("Answer") }],
        },
        "openai",
        "answered",
      ),
    ],
    [says("{{Answer}}", idOf("answer"))],
    ...more,
    [says("{{Name}} was here", idOf("end"))],
    [
      {
        type: "AB test",
        items: [
          { id: "a", path: "a", outgoingEdgeId: "to away" },
          { id: "b", path: "b", outgoingEdgeId: "to away" },
        ],
      },
    ],
  ];
}

type Wanted = Connected & {
  readonly linkedId: string;
  readonly more?: readonly Asking[];
};

/** Returns a flow with a block of every type, and the visitor's replies by the ids of the input blocks. */
export function everyType(wanted: Wanted) {
  const all = everyBlock(wanted);
  const listed = all.map(([block]) => ({ id: idOf(block.type), ...block }));
  const condition = listed.findIndex(({ type }) => type === "Condition") + 1;
  const groupOf = (id: string, contents: readonly NamedBlock[]) => ({
    ...{ id: idOf(id), title: id, graphCoordinates: { x: 0, y: 0 } },
    blocks: contents,
  });
  const flow = flowOf(listed.slice(0, condition));
  const groups = [
    ...flow.groups.map((group) => ({ ...group, blocks: listed.slice(0, condition) })),
    groupOf("rest", listed.slice(condition)),
    groupOf("aside", [says("An aside", idOf("aside says")), { id: idOf("Return"), type: "Return" }]),
    groupOf("away", [{ id: idOf("Redirect"), type: "Redirect", options: { url, isNewTab: true } }]),
  ];
  const edges = [
    ...flow.edges,
    { id: "to rest", from: { blockId: idOf("Condition"), itemId: "if" }, to: { groupId: idOf("rest") } },
    { id: "to away", from: { blockId: idOf("AB test"), itemId: "a" }, to: { groupId: idOf("away") } },
  ];
  const others = ["Address", "Answer"].map((name) => ({ id: idOf(name), name }));
  const variables = [...flow.variables, ...others];
  return {
    flow: { ...flow, groups, edges, variables },
    replies: new Map(
      all.flatMap(([{ type, id }, reply]) => (reply === undefined ? [] : [[id ?? idOf(type), reply] as const])),
    ),
  };
}

type Flow = { readonly groups: readonly { readonly blocks: readonly object[] }[] };

/** Returns the registered block types that a flow does not contain. */
export function typesMissingIn({ groups }: Flow): readonly string[] {
  const types = new Set(groups.flatMap((group) => group.blocks.map((block) => String(Object(block).type))));
  return [...blocks.keys()].filter((type) => !types.has(type));
}
