import { idOf } from "./builder-ids.ts";
import type { Client, RequestOptions } from "./client.ts";

/**
 * Returns a flow with these groups of blocks. The start event leads to the first group. The edge `e1` leads to the
 * second group, and so on, so that a test can connect a block to a later group.
 */
export function flowOf(...groups: readonly (readonly object[])[]) {
  return {
    version: "6.1",
    events: [{ id: idOf("start"), type: "start", graphCoordinates: { x: 0, y: 0 }, outgoingEdgeId: idOf("e0") }],
    groups: groups.map((blocks, index) => ({
      id: idOf(`g${index}`),
      title: `Group ${index}`,
      graphCoordinates: { x: 0, y: 0 },
      blocks,
    })),
    edges: groups.map((_, index) => ({
      id: idOf(`e${index}`),
      from: index === 0 ? { eventId: idOf("start") } : { blockId: idOf("unused") },
      to: { groupId: idOf(`g${index}`) },
    })),
    variables: [
      { id: idOf("Name"), name: "Name" },
      { id: idOf("Email"), name: "Email" },
    ],
  };
}

/** Returns a text bubble with one paragraph. */
export function says(text: string, id = idOf(`says ${text}`)) {
  return { id, type: "text", content: { richText: [{ type: "p", children: [{ text }] }] } };
}

export function asks(type: string, options: object = {}, more: object = {}) {
  return { id: idOf(`asks ${type}`), type, options, ...more };
}

export const nameAndEmail = flowOf([
  says("Your name?"),
  asks("text input", { variableId: idOf("Name") }),
  says("Hello {{Name}}, and your e-mail?"),
  asks("email input", { variableId: idOf("Email") }),
  says("Thank you"),
]);

/** Publishes a flow as a new bot. */
export async function publish(
  client: Client,
  { token, workspaceId }: { token: string; workspaceId: string },
  flow: object,
): Promise<{ botId: string; publicId: string }> {
  const made = await client.post("/api/v1/bots", { token, body: { workspaceId, bot: { name: "Chat", ...flow } } });
  const botId = made.text("bot.id");
  const published = await client.post(`/api/v1/bots/${botId}/publish`, { token, body: { force: true } });
  return { botId, publicId: published.text("publicId") };
}

export function start(client: Client, publicId: string, body: object = {}, options: RequestOptions = {}) {
  return client.post(`/api/v1/bots/${publicId}/startChat`, { ...options, body });
}

export function say(client: Client, sessionId: string, message: unknown, options: RequestOptions = {}) {
  return client.post(`/api/v1/sessions/${sessionId}/continueChat`, { ...options, body: { message } });
}
