import { idOf } from "../../support/builder-ids.ts";

type Options = Readonly<Record<string, unknown>>;

/** Blocks of a flow whose name variable contains the ticket. */
export const named = {
  nocodb: {
    type: "nocodb",
    options: { action: "Create Record", tableId: "table", fields: [{ key: "Name", value: "{{Name}}" }] },
  },
  elevenlabs: {
    type: "elevenlabs",
    options: {
      action: "Convert text to speech",
      text: "{{Name}}",
      voiceId: "voice1",
      saveUrlInVariableId: idOf("Email"),
    },
  },
  dify: {
    type: "dify-ai",
    options: { action: "Create Chat Message", query: "{{Name}}", responseMapping: [{ variableId: idOf("Email") }] },
  },
  chatNode: { type: "chat-node", options: { action: "Send Message", botId: "known-bot", message: "{{Name}}" } },
  gmail: {
    type: "gmail",
    options: { action: "Send email", to: "team@example.com", subject: "{{Name}}", body: "Hello" },
  },
  gmailNow: {
    type: "gmail",
    options: {
      ...{ action: "Send email", to: "team@example.com", subject: "{{Name}}", body: "Hello" },
      responseMapping: [{ item: "Thread ID", variableId: idOf("Email") }],
    },
  },
  segment: { type: "segment", options: { action: "Track", eventName: "{{Name}}", userId: "u" } },
  posthog: { type: "posthog", options: { action: "Capture", event: "{{Name}}", distinctId: "u" } },
  sheet: {
    type: "Google Sheets",
    options: { action: "Insert a row", sheetId: "0", cellsToInsert: [{ id: "c", column: "Name", value: "{{Name}}" }] },
  },
  update: {
    type: "Google Sheets",
    options: {
      ...{ action: "Update a row", sheetId: "0" },
      filter: { comparisons: [{ id: "f", column: "Name", comparisonOperator: "Equal to", value: "{{Name}}" }] },
      cellsToUpsert: [{ id: "c", column: "State", value: "{{Name}} came" }],
    },
  },
} as const satisfies Record<string, { readonly type: string; readonly options: Options }>;

export type Block = keyof typeof named;
export const blockNames = [
  "nocodb",
  "elevenlabs",
  "dify",
  "chatNode",
  "gmail",
  "gmailNow",
  "segment",
  "posthog",
  "sheet",
  "update",
] as const;

/** The cause of the step in which the node dies. */
type By = "reply" | "time-out" | "wait" | "call" | "early call";

/**
 * `asked`: the provider has received the request. `made`: the provider did the work, but its response is lost. `token`
 * is a request for an access token instead of a block's request.
 */
type Hold = `${Block | "token"} ${"asked" | "made"}` | "before the save" | "after the save";

/** How often each provider did the work of the chat. For providers that store nothing, the number of requests. */
type Done = Partial<Record<Block, number>>;

/**
 * A request with an unknown outcome is repeated. NocoDB does not detect the repeat and creates a second record, but a
 * repeated write to a sheet's cells changes nothing. A request whose report was stored is not repeated.
 */
export const arrows = (
  [
    ["a record is asked for", "reply", "nocodb asked", { nocodb: 1 }],
    ["a record is made, its answer does not come", "reply", "nocodb made", { nocodb: 2 }],
    ["a record is known, the next call is made", "reply", "elevenlabs asked", { nocodb: 1, elevenlabs: 2 }],
    ["a speech is known, the step is not saved", "reply", "before the save", { elevenlabs: 1 }],
    ["an answer of Dify is known, the step is not saved", "reply", "before the save", { dify: 1 }],
    ["Dify is asked", "reply", "dify asked", { dify: 2 }],
    ["an answer of ChatNode is known, the step is not saved", "reply", "before the save", { chatNode: 1 }],
    ["a mail of the step is asked for", "reply", "gmailNow asked", { gmailNow: 1 }],
    ["a mail's job asks for it", "reply", "gmail asked", { gmail: 1 }],
    ["an event's job asks for it", "reply", "posthog asked", { posthog: 1 }],
    ["an event is taken, its job does not know", "reply", "segment made", { segment: 1 }],
    ["an event is left, the step is not saved", "reply", "before the save", { segment: 1 }],
    ["an event is left, and the step is saved", "reply", "after the save", { segment: 1 }],
    ["a row is appended, its answer does not come", "reply", "sheet made", { sheet: 1 }],
    ["a row is appended, the step is not saved", "reply", "before the save", { sheet: 1 }],
    ["a row's change is asked for", "reply", "update asked", { update: 2 }],
    ["a row is changed, its answer does not come", "reply", "update made", { update: 2 }],
    ["a row is changed, the step is not saved", "reply", "before the save", { update: 2 }],
    ["a time-out's step changes a row", "time-out", "update made", { update: 2 }],
    ["a person's token is asked for", "reply", "token asked", { gmailNow: 1 }],
    ["a person's token is given, its answer does not come", "reply", "token made", { sheet: 1 }],
    ["a time-out's step asks a provider", "time-out", "nocodb asked", { nocodb: 1 }],
    ["a time-out's step knows a report", "time-out", "elevenlabs made", { nocodb: 1, elevenlabs: 2 }],
    ["a time-out's step is not saved", "time-out", "before the save", { elevenlabs: 1 }],
    ["a time-out's step is saved", "time-out", "after the save", { segment: 1 }],
    ["a wait's step asks a provider", "wait", "nocodb asked", { nocodb: 1 }],
    ["a wait's step is not saved", "wait", "before the save", { segment: 1 }],
    ["a call's step asks a provider", "call", "nocodb asked", { nocodb: 1 }],
    ["a call's step is not saved", "call", "before the save", { elevenlabs: 1 }],
    ["a call's step is saved, the caller does not know", "call", "after the save", { segment: 1 }],
    ["an early call's step asks a provider", "early call", "nocodb asked", { nocodb: 1 }],
    ["an early call's step is not saved", "early call", "before the save", { segment: 1 }],
    ["an early call's step is saved", "early call", "after the save", {}],
  ] as const satisfies readonly (readonly [name: string, by: By, hold: Hold, done: Done])[]
).map(([name, by, hold, done], index) => arrowOf({ name, by, hold, done }, index));

export type Arrow = (typeof arrows)[number];

type Given = { readonly name: string; readonly by: By; readonly hold: Hold; readonly done: Done };

function arrowOf(arrow: Given, index: number) {
  return { ...arrow, blocks: blockNames.filter((block) => block in arrow.done), ticket: `ticket-${index + 1}.` };
}
