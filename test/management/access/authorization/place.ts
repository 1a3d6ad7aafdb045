import { newId } from "../../../../src/platform/ids.ts";
import type { TestApi } from "../../../support/api.ts";
import { idOf } from "../../../support/builder-ids.ts";
import { connectWebhookChannel, putContact, putSending } from "../../../support/channels.ts";
import { asks, flowOf, publish, start } from "../../../support/chat.ts";
import { putAnswer, putEndpoint } from "../../../support/events.ts";
import { makeExport } from "../../../support/exports.ts";
import { putSignIn } from "../../../support/sign-ins.ts";
import { askToUpload, fileNameIn, upload } from "../../../support/uploads.ts";
import type { People } from "./callers.ts";

/**
 * A workspace with all objects that operations need. Most objects are created once, when they are first requested.
 * `somebody` is another MEMBER, and `collaborator` adds this person to the bot. Invitations are for the stranger.
 */
export type Place = {
  readonly workspaceId: string;
  adminId(): Promise<string>;
  somebody(): Promise<string>;
  collaborator(): Promise<string>;
  folderId(): Promise<string>;
  deletedFolderId(): Promise<string>;
  deletedBotId(): Promise<string>;
  archivedBotId(): Promise<string>;
  /** Moves the workspace itself to the bin, and returns its id. */
  deletedWorkspaceId(): Promise<string>;
  bot(): Promise<{ readonly botId: string; readonly publicId: string }>;
  /** Creates a bot with a published version and a canary. */
  canary(): Promise<string>;
  /** Creates a bot that was published and then unpublished. */
  unpublished(): Promise<string>;
  /** Imports a result, and returns the body of a request that adds a file to the result. */
  importedFiles(): Promise<object>;
  /** Starts a chat that waits at its second text input. */
  chat(): Promise<{ readonly sessionId: string; readonly resultId: string }>;
  /** Starts a traced preview of a bot that waits for a text. */
  preview(): Promise<string>;
  /** Starts a preview whose question has a timeout. */
  timedPreview(): Promise<string>;
  /** Starts a chat that waits for a file, and already has an uploaded file. */
  files(): Promise<{
    readonly botId: string;
    readonly sessionId: string;
    readonly resultId: string;
    readonly fileName: string;
  }>;
  /** Returns the token of a requested upload. */
  uploadToken(): Promise<string>;
  /** Starts a chat that listens for a call. */
  listening(): Promise<{ readonly botId: string; readonly resultId: string }>;
  /** Returns the signed part of the address of another listening chat. */
  callbackToken(): Promise<string>;
  /** Creates a bot with a block that sends a request. */
  calling(): Promise<{ readonly botId: string; readonly blockId: string }>;
  themeTemplateId(): Promise<string>;
  /** Creates a comment of the ADMIN. */
  commentId(): Promise<string>;
  workspaceFileId(): Promise<string>;
  invitation(): Promise<{ readonly id: string; readonly code: string }>;
  botInvitationId(): Promise<string>;
  /** Creates an export that is ready. */
  exportId(): Promise<string>;
  endpointId(): Promise<string>;
  /**
   * Creates a connection of a program. `contactId` adds a contact, and `sendingId` adds a message that could not be
   * sent.
   */
  connectionId(): Promise<string>;
  contactId(): Promise<string>;
  sendingId(): Promise<string>;
  listenerId(): Promise<string>;
  deliveryId(): Promise<string>;
  credentialsId(): Promise<string>;
  secretName(): Promise<string>;
  testConversation(): Promise<string>;
  customDomain(): Promise<{ readonly id: string; readonly name: string }>;
  /** Creates a token of the ADMIN. */
  tokenId(): Promise<string>;
  signInId(): Promise<string>;
};

const textFlow = {
  ...flowOf([asks("text input"), asks("number input")]),
  settings: { general: { isGoBackEnabled: true } },
};

const createdAt = "2026-01-01T00:00:00Z";
const importedFiles = {
  source: "x",
  result: { id: "with files", createdAt },
  files: [{ id: "f", createdAt, blockId: "b", name: "a.png", type: "image/png", bytes: 1, isPublic: false }],
};

export async function makePlace(api: TestApi, people: People): Promise<Place> {
  const { admin, member, guest, reader, writer, stranger } = people;
  const { token } = admin;
  const { sql } = api.deps;
  const workspaceId = await api.makeWorkspace(admin, {
    [member.userId]: "MEMBER",
    [guest.userId]: "GUEST",
    [reader.userId]: "GUEST",
    [writer.userId]: "GUEST",
  });
  const collaborate = (botId: string, userId: string, type: "READ" | "WRITE") => sql`
    insert into collaborators (bot_id, user_id, type)
    values (${botId}, ${userId}, ${type})`;
  const publishShared = async (flow: object) => {
    const made = await publish(api.client, { token, workspaceId }, flow);
    await collaborate(made.botId, reader.userId, "READ");
    await collaborate(made.botId, writer.userId, "WRITE");
    return made;
  };
  const timedBot = once(() => publishShared(flowOf([asks("text input", { timeout: { after: 600 } })])));
  const listeningBot = once(() => publishShared(flowOf([{ id: "listen", type: "webhook" }, asks("text input")])));
  const base = `/api/v1/workspaces/${workspaceId}`;

  const place: Place = {
    workspaceId,
    adminId: async () => admin.userId,
    somebody: once(async () => {
      const { userId } = await api.makeUser();
      await sql`insert into members (workspace_id, user_id, role) values (${workspaceId}, ${userId}, 'MEMBER')`;
      return userId;
    }),
    collaborator: once(async () => {
      const [{ botId }, userId] = [await place.bot(), await place.somebody()];
      await collaborate(botId, userId, "READ");
      return userId;
    }),
    folderId: once(async () => {
      const made = await api.client.post("/api/v1/folders", { token, body: { workspaceId, folderName: "Folder" } });
      return made.text("folder.id");
    }),
    deletedFolderId: once(async () => {
      const folderId = await place.folderId();
      await api.client.delete(`/api/v1/folders/${folderId}`, { token });
      return folderId;
    }),
    deletedBotId: once(async () => {
      const { botId } = await place.bot();
      await api.client.delete(`/api/v1/bots/${botId}`, { token });
      return botId;
    }),
    archivedBotId: once(async () => {
      const { botId } = await publishShared(textFlow);
      await api.client.post(`/api/v1/bots/${botId}/archive`, { token, body: {} });
      return botId;
    }),
    deletedWorkspaceId: once(async () => {
      await api.client.delete(`/api/v1/workspaces/${workspaceId}`, { token });
      return workspaceId;
    }),
    bot: once(() => publishShared(textFlow)),
    canary: once(async () => {
      const { botId } = await publishShared(textFlow);
      await api.client.post(`/api/v1/bots/${botId}/publish`, { token, body: { percent: 10 } });
      return botId;
    }),
    unpublished: once(async () => {
      const { botId } = await publishShared(textFlow);
      await api.client.post(`/api/v1/bots/${botId}/unpublish`, { token, body: {} });
      return botId;
    }),
    importedFiles: once(async () => {
      const { botId } = await place.bot();
      const body = { source: importedFiles.source, results: [importedFiles.result] };
      await api.client.post(`/api/v1/bots/${botId}/results/import`, { token, body });
      return importedFiles;
    }),
    chat: once(async () => {
      const { publicId } = await place.bot();
      const started = await start(api.client, publicId);
      const sessionId = started.text("sessionId");
      await api.client.post(`/api/v1/sessions/${sessionId}/continueChat`, { body: { message: "Hello" } });
      return { sessionId, resultId: started.text("resultId") };
    }),
    preview: once(async () => {
      const { botId } = await publishShared({ ...textFlow, variables: [{ id: idOf("name"), name: "Name" }] });
      const started = await api.client.post(`/api/v1/bots/${botId}/preview/startChat`, {
        token,
        body: { isTraced: true },
      });
      return started.text("sessionId");
    }),
    async timedPreview() {
      const { botId } = await timedBot();
      const body = { isTraced: true };
      const started = await api.client.post(`/api/v1/bots/${botId}/preview/startChat`, { token, body });
      return started.text("sessionId");
    },
    files: once(async () => {
      const bot = await publishShared(flowOf([asks("file input")]));
      const started = await start(api.client, bot.publicId);
      const sessionId = started.text("sessionId");
      const fileName = fileNameIn(await upload(api.client, sessionId, "%PDF-1.7"));
      return { botId: bot.botId, sessionId, resultId: started.text("resultId"), fileName };
    }),
    uploadToken: once(async () => {
      const { sessionId } = await place.files();
      const asked = await askToUpload(api.client, sessionId);
      return new URL(asked.text("presignedUrl")).pathname.split("/").at(-1) ?? "";
    }),
    calling: once(async () => {
      const call = { id: "call", type: "Webhook", options: { webhook: { url: "https://outside.example/" } } };
      return { botId: (await publishShared(flowOf([call]))).botId, blockId: "call" };
    }),
    themeTemplateId: once(async () => {
      const body = { name: "Autumn", theme: {} };
      return (await api.client.post(`${base}/theme-templates`, { token, body })).text("themeTemplate.id");
    }),
    commentId: once(async () => {
      const { botId } = await place.bot();
      const body = { text: "Why?", place: { kind: "place", x: 0, y: 0 } };
      return (await api.client.post(`/api/v1/bots/${botId}/comments`, { token, body })).text("comment.id");
    }),
    workspaceFileId: once(async () => {
      const made = await api.client.post(`${base}/files?name=a.gif`, { token, rawBody: "GIF89a" });
      return made.text("workspaceFile.id");
    }),
    async callbackToken() {
      const { botId, publicId } = await listeningBot();
      const started = await start(api.client, publicId);
      const [resultId, sessionId] = [started.text("resultId"), started.text("sessionId")];
      return api.deps.callbackTokens.tokenFor({ botId, blockId: "listen", resultId, sessionId, previewedBy: null });
    },
    listening: once(async () => {
      const bot = await listeningBot();
      return { botId: bot.botId, resultId: (await start(api.client, bot.publicId)).text("resultId") };
    }),
    invitation: once(async () => {
      const body = { email: stranger.email, role: "MEMBER" };
      const made = await api.client.post(`${base}/invitations`, { token, body });
      return { id: made.text("invitation.id"), code: made.text("invitation.code") };
    }),
    botInvitationId: once(async () => {
      const { botId } = await place.bot();
      const body = { email: stranger.email, type: "READ" };
      const made = await api.client.put(`/api/v1/bots/${botId}/collaborators`, { token, body });
      return made.text("invitation.id");
    }),
    exportId: once(async () => {
      const { botId } = await place.bot();
      const body = { format: "ndjson", to: "1971-01-01T00:00:00Z" };
      const made = await api.client.post(`/api/v1/bots/${botId}/result-exports`, { token, body });
      return await makeExport(api, made.text("resultExport.id"));
    }),
    endpointId: once(async () => {
      const { endpointId } = await putEndpoint(sql, { url: "https://receiver.example/events", workspaceId });
      return endpointId;
    }),
    connectionId: once(async () => {
      const url = "https://receiver.example/messages";
      const made = await connectWebhookChannel({ client: api.client, token, workspaceId, name: "Ours", url });
      return made.connectionId;
    }),
    contactId: once(async () => putContact(sql, await place.connectionId())),
    sendingId: once(async () => {
      const [connectionId, contactId] = [await place.connectionId(), await place.contactId()];
      return putSending(sql, { connectionId, contactId, state: "failed" });
    }),
    listenerId: once(async () => {
      const { endpointId } = await putEndpoint(sql, { url: "http://localhost:4000/", workspaceId });
      await sql`update event_endpoints set listened_at = clock() where id = ${endpointId}`;
      return endpointId;
    }),
    deliveryId: once(async () => {
      const endpointId = await place.endpointId();
      return await putAnswer(sql, { endpointId, sessionId: newId(), content: "Hello" });
    }),
    credentialsId: once(async () => {
      const body = { type: "openai", name: "Account", data: { apiKey: "sk-for-the-matrix-of-rights" } };
      return (await api.client.post(`${base}/credentials`, { token, body })).text("credentials.id");
    }),
    testConversation: once(async () => {
      const { botId } = await place.bot();
      const body = { conversation: { title: "A test", turns: [{ expect: {} }] } };
      await api.client.put(`/api/v1/bots/${botId}/testConversations/a-test`, { token, body });
      return "a-test";
    }),
    secretName: once(async () => {
      await api.client.put(`${base}/secrets/MATRIX_KEY`, { token, body: { value: "a secret of the matrix" } });
      return "MATRIX_KEY";
    }),
    customDomain: once(async () => {
      const name = `${newId()}.example.com`;
      const made = await api.client.post(`${base}/custom-domains`, { token, body: { name } });
      const id = made.text("customDomain.id");
      await sql`update custom_domains set state = 'verified' where id = ${id}`;
      return { id, name };
    }),
    tokenId: once(async () => {
      const made = await api.client.post("/api/v1/users/me/api-tokens", { token, body: { name: "Deployment" } });
      return made.text("apiToken.id");
    }),
    signInId: once(async () => (await putSignIn(sql, admin.userId)).id),
  };
  return place;
}

/** Returns ids of missing objects. A caller without access gets the same response for existing objects. */
export function nowhere(): Place {
  const id = async () => newId();
  return {
    workspaceId: newId(),
    adminId: id,
    somebody: id,
    collaborator: id,
    folderId: id,
    deletedFolderId: id,
    deletedBotId: id,
    archivedBotId: id,
    deletedWorkspaceId: id,
    bot: async () => ({ botId: newId(), publicId: "nothing" }),
    canary: id,
    unpublished: id,
    importedFiles: async () => importedFiles,
    chat: async () => ({ sessionId: newId(), resultId: newId() }),
    preview: id,
    timedPreview: id,
    files: async () => ({ botId: newId(), sessionId: newId(), resultId: newId(), fileName: `${newId()}.pdf` }),
    uploadToken: id,
    listening: async () => ({ botId: newId(), resultId: newId() }),
    callbackToken: async () => "nothing",
    calling: async () => ({ botId: newId(), blockId: "call" }),
    themeTemplateId: id,
    commentId: id,
    workspaceFileId: id,
    invitation: async () => ({ id: newId(), code: "nothing" }),
    botInvitationId: id,
    exportId: id,
    endpointId: id,
    connectionId: id,
    contactId: id,
    sendingId: id,
    listenerId: id,
    deliveryId: id,
    credentialsId: id,
    secretName: async () => "NOTHING",
    testConversation: async () => "nothing",
    customDomain: async () => ({ id: newId(), name: "nothing.example.com" }),
    tokenId: id,
    signInId: id,
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}
