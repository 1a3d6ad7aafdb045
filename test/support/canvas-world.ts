import type { TestUser } from "./api.ts";
import { idOf } from "./builder-ids.ts";
import { type FlowHost, openFlowHost } from "./flow-page.ts";

/** A builder with a flow that has groups, lines, notes and frames, and an empty flow. */
export type CanvasWorld = {
  readonly host: FlowHost;
  readonly ada: TestUser;
  readonly emptyId: string;
  /** The bot is published, and its draft has changed since. */
  readonly botId: string;
  /** Creates another bot with the same flow, which a test may change. */
  makeAnother(): Promise<string>;
  close(): Promise<void>;
};

export async function openCanvasWorld(): Promise<CanvasWorld> {
  const host = await openFlowHost();
  const ada = await host.api.makeUser({ name: "Ada Lovelace" });
  const workspaceId = await host.api.makeWorkspace(ada);
  const emptyId = await host.makeBot(ada, workspaceId, { name: "Nothing yet" });
  const botId = await host.makeBot(ada, workspaceId, publishedFlow());
  await host.call(ada, "POST", `/api/v1/bots/${botId}/publish`, { force: true, note: "The first one" });
  await host.call(ada, "PATCH", `/api/v1/bots/${botId}`, { bot: changedFlow() });
  return {
    ...{ host, ada, emptyId, botId },
    makeAnother: () => host.makeBot(ada, workspaceId, changedFlow()),
    close: () => host.close(),
  };
}

const text = (id: string, words: string, more: object = {}) => ({
  id,
  type: "text",
  content: { richText: [{ type: "p", children: [{ text: words }] }] },
  ...more,
});
const at = (x: number, y: number) => ({ graphCoordinates: { x, y } });

const hello = {
  id: "hello",
  title: "Hello",
  ...at(260, 40),
  blocks: [
    text("greeting", "Hello! We are a small nursery, and we have forty kinds of herbs and a few trees."),
    { id: "name", type: "text input", options: { variableId: idOf("name") } },
    {
      id: "wish",
      type: "choice input",
      outgoingEdgeId: "e-else",
      items: [
        { id: "buy", content: "Buy something", outgoingEdgeId: "e-buy" },
        { id: "ask", content: "Ask something that is not about herbs", outgoingEdgeId: "e-ask" },
        { id: "away", content: "Nothing", outgoingEdgeId: "e-away" },
      ],
      options: { variableId: idOf("wish") },
    },
  ],
};
const offer = {
  id: "offer",
  title: "Offer",
  ...at(680, 0),
  blocks: [
    text("price", "It is {{Price}}, {{Name}}."),
    {
      id: "request",
      type: "Webhook",
      options: { webhook: { method: "POST", url: "https://crm.example.com/leads", body: '{"name": "{{Name}}"}' } },
      outgoingEdgeId: "e-sent",
    },
  ],
};
const question = {
  id: "question",
  title: "Question",
  ...at(680, 300),
  blocks: [
    { id: "mail", type: "email input", options: { variableId: idOf("mail") } },
    {
      id: "score",
      type: "Set variable",
      options: { variableId: idOf("price"), expressionToEvaluate: "{{Price}} * 2" },
    },
  ],
};
const bye = { id: "bye", title: "Good bye", ...at(1_100, 120), blocks: [text("thanks", "Thank you, {{Name}}.")] };
const lost = { id: "lost", title: "Nobody comes here", ...at(1_100, 330), blocks: [text("lonely", "Hello?")] };
const edges = [
  { id: "e-start", from: { eventId: "start" }, to: { groupId: "hello" } },
  { id: "e-buy", from: { blockId: "wish", itemId: "buy" }, to: { groupId: "offer" } },
  { id: "e-ask", from: { blockId: "wish", itemId: "ask" }, to: { groupId: "question" } },
  { id: "e-away", from: { blockId: "wish", itemId: "away" }, to: { groupId: "gone" } },
  { id: "e-else", from: { blockId: "wish" }, to: { groupId: "bye" } },
  { id: "e-sent", from: { blockId: "request" }, to: { groupId: "bye" } },
];
const flow = (groups: readonly object[], lines: readonly object[]) => ({
  name: "Nursery",
  version: "6.1",
  events: [{ id: "start", type: "start", outgoingEdgeId: "e-start", ...at(0, 60) }],
  groups,
  edges: lines,
  variables: ["Name", "Wish", "Mail", "Price", "Left over"].map((name) => ({
    id: idOf(name.toLowerCase()),
    name,
  })),
});
const publishedFlow = () => flow([hello, { ...bye, title: "Bye" }, question, lost], edges.slice(0, 5));

const changedFlow = () => ({
  ...flow([hello, offer, question, bye, lost], edges),
  editor: {
    colors: { offer: "green", bye: "yellow" },
    locks: { question: true },
    frames: [
      { id: "frame", title: "Before they buy", ...at(220, -30), size: { width: 352, height: 360 }, color: "blue" },
      { id: "plain", title: "", ...at(1_060, 60), size: { width: 360, height: 420 } },
    ],
    notes: [
      {
        id: "note",
        text: "Ask Grace whether we still ship trees.\n\n- small ones\n- in spring",
        ...at(0, 200),
        size: { width: 200, height: 140 },
      },
      { id: "rose", text: "Prices are of March.", ...at(680, -140), size: { width: 200, height: 80 }, color: "pink" },
    ],
  },
});
