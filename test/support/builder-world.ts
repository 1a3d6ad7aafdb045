import { templates } from "../../src/core/templates/index.ts";
import type { TestUser } from "./api.ts";
import { type BuilderHost, openBuilderHost } from "./builder-host.ts";
import { testKey } from "./events.ts";

/** A builder with content for its screens. */
export type BuilderWorld = {
  readonly host: BuilderHost;
  /** The user is also an administrator of the instance. */
  readonly administrator: TestUser;
  /** A member of the workspace without administrator rights. */
  readonly member: TestUser;
  readonly workspaceId: string;
  readonly emptyId: string;
  readonly suspendedId: string;
  readonly botId: string;
  readonly quietBotId: string;
  readonly resultId: string;
  close(): Promise<void>;
};

export async function openBuilderWorld(): Promise<BuilderWorld> {
  const host = await openBuilderHost({ config: { ENCRYPTION_KEY: testKey } });
  const { api } = host;
  // The screen of a result shows the chat page in a frame.
  const chatPage = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 255, fetch: api.handle });
  api.deps.ports.main = Number(chatPage.url.port);
  api.deps.ports.app = Number(new URL(host.origin).port);
  const administrator = await api.makeUser({ scope: "admin", name: "Ada Lovelace" });
  const { token } = administrator;
  const post = async (path: string, body: object) => api.client.post(path, { token, body });
  const member = await api.makeUser({ name: "Grace Brewster Murray Hopper" });
  const gone = await api.makeUser({ name: "Charles Babbage" });
  const workspaceId = (await post("/api/v1/workspaces", { name: "Analytical Engines" })).text("workspace.id");
  const emptyId = (await post("/api/v1/workspaces", { name: "An empty one" })).text("workspace.id");
  const suspendedId = (await post("/api/v1/workspaces", { name: "A workspace in arrears" })).text("workspace.id");
  const inWorkspace = `/api/v1/workspaces/${workspaceId}`;

  const botIds: string[] = [];
  for (const { id: _id, about: _about, icon: _icon, ...bot } of templates) {
    botIds.push((await post("/api/v1/bots/import", { workspaceId, bot: withoutEmoji(bot) })).text("bot.id"));
  }
  const [botId = "", quietBotId = "", archivedId = "", binnedId = ""] = botIds;
  for (const id of [botId, quietBotId]) await post(`/api/v1/bots/${id}/publish`, { force: true });
  await post(`/api/v1/bots/${archivedId}/archive`, {});
  await api.client.delete(`/api/v1/bots/${binnedId}`, { token });
  const folder = await post("/api/v1/folders", { workspaceId, folderName: "Campaigns of the year" });
  await post("/api/v1/folders", { workspaceId, folderName: "Spring", parentFolderId: folder.text("folder.id") });

  await api.deps.sql`
    insert into members (workspace_id, user_id, role)
    values (${workspaceId}, ${member.userId}, 'MEMBER')`;
  await post(`${inWorkspace}/invitations`, { email: "katherine.johnson@example.com", role: "GUEST" });
  await api.client.put(`/api/v1/bots/${botId}/collaborators`, { token, body: { email: gone.email, type: "READ" } });
  await post("/api/v1/users/me/api-tokens", { name: "Deployment", workspaceId });
  await post(`${inWorkspace}/credentials`, {
    type: "openai",
    name: "Our account",
    data: { apiKey: "sk-00000000004f2a" },
  });
  await api.client.put(`${inWorkspace}/secrets/CRM_KEY`, {
    token,
    body: { value: "b7c1e0a94f", hosts: ["crm.example.com"], note: "The customers" },
  });
  const url = "https://hooks.example.com/a-long-address/that-does-not-fit/on-a-phone";
  const endpoint = await post(`${inWorkspace}/event-endpoints`, { url, description: "Our CRM" });
  await post(`${inWorkspace}/event-endpoints/${endpoint.text("eventEndpoint.id")}/test`, {});
  await api.client.post(`${inWorkspace}/files`, { token, query: { name: "logo.png" }, rawBody: onePixel });

  await post(`/api/v1/users/${gone.userId}/deactivate`, {});
  await post(`/api/v1/workspaces/${suspendedId}/suspend`, { reason: "Payment has been open since March." });
  const resultId = await putResults(host, { token, botId });
  return {
    ...{ host, administrator, member, workspaceId, emptyId, suspendedId, botId, quietBotId, resultId },
    async close() {
      await chatPage.stop(true);
      await host.close();
    },
  };
}

/** Imports results from another service, so that no chats are necessary. Returns the id of the newest result. */
async function putResults(host: BuilderHost, { token, botId }: { token: string; botId: string }): Promise<string> {
  const { client } = host.api;
  const blocks = inputsOf((await client.get(`/api/v1/bots/${botId}`, { token })).list("bot.groups"));
  const said = [
    "Ada",
    "ada@example.com",
    "A longer answer that somebody wrote on a train, who had the time and did not look up until the very end of the line",
  ];
  const results = Array.from({ length: 14 }, (_, index) => ({
    id: `brought-${index}`,
    createdAt: new Date(Date.UTC(2026, 9, 14 - index, 9, 30)).toISOString(),
    hasStarted: index % 5 !== 4,
    isCompleted: index % 3 === 0,
    answers: index % 5 === 4 ? [] : blocks.map((blockId, at) => ({ blockId, content: said[(index + at) % 3] })),
  }));
  await client.post(`/api/v1/bots/${botId}/results/import`, { token, body: { source: "elsewhere", results } });
  const listed = await client.get(`/api/v1/bots/${botId}/results`, { token, query: { timeFilter: "allTime" } });
  return listed.text("results.0.id");
}

function inputsOf(groups: readonly unknown[]): readonly string[] {
  return [...JSON.stringify(groups).matchAll(/"id":"([^"]+)","type":"[a-z ]+ input"/g)].map(([, id = ""]) => id);
}

/** Removes emoji, because machines that take screenshots may lack an emoji font. */
export function withoutEmoji(bot: object): object {
  return JSON.parse(JSON.stringify(bot).replaceAll(/\p{Extended_Pictographic}\uFE0F? ?/gu, ""));
}

export const onePixel = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);
