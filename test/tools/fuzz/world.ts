import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import type { Answer, Client } from "../../support/client.ts";

/** The existing objects that requests can reference, by their names in paths and bodies. */
export type World = {
  readonly ids: Readonly<Record<string, string>>;
  readonly tokens: { readonly write: string; readonly read: string; readonly admin: string };
  /** Ids of objects of the same kinds that belong to another author. */
  readonly foreign: Readonly<Record<string, string>>;
};

/** A marker in the data of another workspace. Only a request with the administrator's token may get it. */
export const foreignMark = "nobody-elses-7f3a9c";

/** The ids that only their owner may see. */
export const foreignIdNames = [
  ...["workspaceId", "botId", "endpointId", "resultId", "invitationId", "botInvitationId", "deliveryId"],
  ...["folderId", "tokenId", "customDomainId", "exportId", "themeTemplateId", "fileId"],
];

/** Creates two authors with objects of many kinds. The requests use the tokens of the first author. */
export async function makeWorld(client: Client, adminToken: string): Promise<World> {
  const own = await makeTenant(client, adminToken, "Own");
  const foreign = await makeTenant(client, adminToken, foreignMark);
  const made = await client.post("/api/v1/users/me/api-tokens", {
    token: own.token,
    body: { name: "Reads", scope: "read" },
  });
  return {
    ids: own.ids,
    tokens: { write: own.token, read: made.text("apiToken.token"), admin: adminToken },
    foreign: foreign.ids,
  };
}

async function makeTenant(client: Client, adminToken: string, name: string) {
  const user = await client.post("/api/v1/users", { token: adminToken, body: { name } });
  const friend = await client.post("/api/v1/users", { token: adminToken, body: { name: `${name}, a friend` } });
  const token = user.text("apiToken.token");
  const make = async (path: string, body: object): Promise<Answer> => {
    const answer = await client.post(path, { token, body });
    if (answer.status !== 200) throw new Error(`POST ${path}: ${JSON.stringify(answer.body)}`);
    return answer;
  };
  const workspaceId = (await make("/api/v1/workspaces", { name })).text("workspace.id");
  const base = `/api/v1/workspaces/${workspaceId}`;
  const userId = friend.text("user.id");
  await client.put(`${base}/members/${userId}`, { token, body: { role: "MEMBER" } });
  const invitation = await make(`${base}/invitations`, { email: `${Bun.randomUUIDv7()}@example.com` });
  const endpoint = await make(`${base}/event-endpoints`, { url: "https://events.example.com/", description: name });
  const endpointId = endpoint.text("eventEndpoint.id");
  const ping = await make(`${base}/event-endpoints/${endpointId}/test`, {});
  const listener = await make(`${base}/event-listeners`, { url: "http://localhost:4000/" });
  // The host name does not exist, so a call fails immediately.
  const data = { apiKey: `sk-${name}-0123456789`, baseUrl: "https://models.example.invalid/v1" };
  const account = await make(`${base}/credentials`, { type: "openai", name, data });
  const domain = await make(`${base}/custom-domains`, { name: `${Bun.randomUUIDv7()}.example.com` });
  const folder = await make("/api/v1/folders", { workspaceId, folderName: name });
  const template = await make(`${base}/theme-templates`, { name, theme: {} });
  const file = await client.post(`${base}/files?name=a.gif`, { token, rawBody: `GIF89a ${name}` });
  const spareToken = await make("/api/v1/users/me/api-tokens", { name });
  const bot = { name, ...chatFlow(name), folderId: folder.text("folder.id") };
  const botId = (await make("/api/v1/bots", { workspaceId, bot })).text("bot.id");
  const publicId = (await make(`/api/v1/bots/${botId}/publish`, {})).text("publicId");
  const invited = await client.put(`/api/v1/bots/${botId}/collaborators`, {
    token,
    body: { email: `${Bun.randomUUIDv7()}@example.com`, type: "READ" },
  });
  await client.put(`/api/v1/bots/${botId}/collaborators/${userId}`, { token, body: { type: "READ" } });
  const chat = await makeChat(client, publicId, name);
  const exported = await make(`/api/v1/bots/${botId}/result-exports`, {});
  return {
    token,
    ids: {
      ...chat,
      ...{ workspaceId, botId, publicId, userId, endpointId, blockId: "listens", number: "1" },
      invitationId: invitation.text("invitation.id"),
      botInvitationId: invited.text("invitation.id"),
      invitationCode: invitation.text("invitation.code"),
      deliveryId: ping.text("delivery.id"),
      credentialsId: account.text("credentials.id"),
      listenerId: listener.text("eventEndpoint.id"),
      customDomainId: domain.text("customDomain.id"),
      domain: domain.text("customDomain.name"),
      folderId: folder.text("folder.id"),
      themeTemplateId: template.text("themeTemplate.id"),
      fileId: file.text("workspaceFile.id"),
      tokenId: spareToken.text("apiToken.id"),
      secretName: "FUZZED_KEY",
      exportId: exported.text("resultExport.id"),
    },
  };
}

/** Creates a chat in which a file was uploaded, and which waits for a webhook call. */
async function makeChat(client: Client, publicId: string, name: string) {
  const started = await client.post(`/api/v1/bots/${publicId}/startChat`, { body: {} });
  const sessionId = started.text("sessionId");
  const say = (message: string) => client.post(`/api/v1/sessions/${sessionId}/continueChat`, { body: { message } });
  await say(name);
  const upload = await client.post("/api/v3/generate-upload-url", {
    body: { sessionId, blockId: "file", fileName: "letter.txt", fileType: "text/plain" },
  });
  const { pathname } = new URL(upload.text("presignedUrl"));
  await client.put(pathname, { rawBody: name, headers: { "Content-Type": "text/plain" } });
  const fileUrl = upload.text("fileUrl");
  await say(fileUrl);
  return { resultId: started.text("resultId"), sessionId, fileName: fileUrl.slice(fileUrl.lastIndexOf("/") + 1) };
}

/**
 * Returns a flow that asks for a text and a file, waits for a webhook call, asks for a number and a choice, and then
 * starts again.
 */
export function chatFlow(name: string) {
  const settings = { general: { isGoBackEnabled: true }, typingEmulation: { enabled: false } };
  const questions = [
    says(name),
    asks("text input", { variableId: idOf("Name") }),
    says("Hello {{Name}}"),
    { id: "file", type: "file input", options: {} },
    { id: "listens", type: "webhook", options: {} },
    asks("number input", { min: 1, max: 9 }),
    { id: "choice", type: "choice input", items: [{ id: "yes", content: "Yes" }] },
    { id: "again", type: "Jump", options: { groupId: idOf("g0") } },
  ];
  // This block is only tested on its own, and its call is rejected.
  const calls = [{ id: "calls", type: "Webhook", options: { webhook: { url: "http://127.0.0.1/" } } }];
  return { ...flowOf(questions, calls), settings };
}
