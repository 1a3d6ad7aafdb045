import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Operation } from "../../../../src/management/operations/operation.ts";
import { isErrorCode } from "../../../../src/platform/http/validation.ts";
import { operations } from "../../../../src/service/operations.ts";
import { createTestApi, type TestApi } from "../../../support/api.ts";
import { noteError } from "../../../support/contract.ts";
import { testKey } from "../../../support/events.ts";
import { createThreads, type Threads } from "../../../support/threads.ts";
import { makePeople, type People } from "./callers.ts";
import { makePlace, type Place } from "./place.ts";
import { requestOf } from "./requests.ts";
import type { Outcome } from "./rights.ts";
import { rows } from "./rows.ts";

let api: TestApi;
let threads: Threads;
let people: People;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({
    threads,
    config: { ENCRYPTION_KEY: testKey, RATE_LIMITS: "off" },
    resolveTxt: async () => [],
    safeFetch: async () => ({ status: 200, text: '{ "data": [] }' }),
  });
  people = await makePeople(api);
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

const nothing = "workspace.takes_nothing";
/** The outcome of every write in a workspace or a folder while the workspace is suspended. */
const outcomes: Readonly<Record<string, Outcome>> = {
  "POST /api/v1/bots": nothing,
  "POST /api/v1/bots/import": nothing,
  // Only shows the effect of an import.
  "POST /api/v1/bots/import/check": "ok",
  "POST /api/v1/bots/bulk": "workspace.suspended",
  "POST /api/v1/folders": nothing,
  "PATCH /api/v1/folders/:folderId": "ok",
  "DELETE /api/v1/folders/:folderId": "ok",
  "POST /api/v1/folders/:folderId/restore": nothing,
  "POST /api/v1/folders/:folderId/erase": "ok",
  "PATCH /api/v1/workspaces/:workspaceId": "ok",
  "DELETE /api/v1/workspaces/:workspaceId": "ok",
  // The restored workspace is still suspended.
  "POST /api/v1/workspaces/:workspaceId/restore": "ok",
  "POST /api/v1/workspaces/:workspaceId/erase": "ok",
  "PUT /api/v1/workspaces/:workspaceId/members": "ok",
  "PUT /api/v1/workspaces/:workspaceId/members/:userId": "ok",
  "DELETE /api/v1/workspaces/:workspaceId/members/:userId": "ok",
  "POST /api/v1/workspaces/:workspaceId/invitations": "ok",
  "DELETE /api/v1/workspaces/:workspaceId/invitations/:invitationId": "ok",
  "PUT /api/v1/workspaces/:workspaceId/brand": nothing,
  "POST /api/v1/workspaces/:workspaceId/theme-templates": nothing,
  "PATCH /api/v1/workspaces/:workspaceId/theme-templates/:themeTemplateId": "ok",
  "DELETE /api/v1/workspaces/:workspaceId/theme-templates/:themeTemplateId": "ok",
  "PUT /api/v1/themeTemplates/:themeTemplateId": "ok",
  "DELETE /api/v1/themeTemplates/:themeTemplateId": "ok",
  "POST /api/v1/workspaces/:workspaceId/files": nothing,
  "DELETE /api/v1/workspaces/:workspaceId/files/:fileId": "ok",
  "POST /api/v1/workspaces/:workspaceId/credentials": nothing,
  "PATCH /api/v1/workspaces/:workspaceId/credentials/:credentialsId": "ok",
  "DELETE /api/v1/workspaces/:workspaceId/credentials/:credentialsId": "ok",
  "POST /api/v1/workspaces/:workspaceId/credentials/google/authorize": nothing,
  "POST /api/v1/workspaces/:workspaceId/credentials/google/finish": nothing,
  "POST /api/v1/workspaces/:workspaceId/credentials/:credentialsId/test": "ok",
  "POST /api/v1/workspaces/:workspaceId/credentials/:credentialsId/webhook": "credentials.no_webhook",
  "PUT /api/v1/workspaces/:workspaceId/secrets/:name": nothing,
  "DELETE /api/v1/workspaces/:workspaceId/secrets/:name": "ok",
  "POST /api/v1/workspaces/:workspaceId/custom-domains": nothing,
  "POST /api/v1/workspaces/:workspaceId/custom-domains/:customDomainId/verify": "ok",
  "DELETE /api/v1/workspaces/:workspaceId/custom-domains/:customDomainId": "ok",
  "POST /api/v1/workspaces/:workspaceId/channel-connections": nothing,
  "PATCH /api/v1/workspaces/:workspaceId/channel-connections/:connectionId": "ok",
  "DELETE /api/v1/workspaces/:workspaceId/channel-connections/:connectionId": "ok",
  "POST /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/check": "ok",
  "POST /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/register": "ok",
  "POST /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/enable": "ok",
  "POST /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/disable": "ok",
  "POST /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/rotate": "ok",
  "POST /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/conversations/:contactId/end": "ok",
  "POST /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/test": "ok",
  "POST /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/sendings/:sendingId/retry": "ok",
  "POST /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/sendings/:sendingId/drop": "ok",
  "DELETE /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/contacts/:contactId": "ok",
  "POST /api/v1/workspaces/:workspaceId/event-endpoints": nothing,
  "PATCH /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId": "ok",
  "DELETE /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId": "ok",
  "POST /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId/rotate-secret": "ok",
  "POST /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId/test": "ok",
  "POST /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId/receive": "ok",
  "POST /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId/deliveries/:deliveryId/redeliver": "ok",
  "POST /api/v1/workspaces/:workspaceId/event-listeners": nothing,
  "POST /api/v1/workspaces/:workspaceId/person-erasures": "ok",
  "PUT /api/v1/workspaces/:workspaceId/model-budget": "ok",
  "PUT /api/v1/workspaces/:workspaceId/model-prices": "ok",
};

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;
const isOfPerson = /users|sign-|invitations\/accept|storage\/check|POST \/api\/v1\/workspaces$|\/suspend$|\/resume$/;
const writing = operations
  .filter(({ method, host, auth }) => method !== "GET" && host !== "chat" && auth.kind === "token")
  .filter((operation) => rows[nameOf(operation)] !== undefined && !isOfPerson.test(nameOf(operation)));
const ofBots = writing.filter(({ path }) => path.includes("/:botId"));
const inWorkspaces = writing.filter(({ path }) => !path.includes("/:botId") && !path.includes("/:sessionId"));

test("every operation has an expected outcome for a suspended workspace", () => {
  expect(inWorkspaces.map(nameOf).toSorted()).toEqual(Object.keys(outcomes).toSorted());
  expect(ofBots.length).toBeGreaterThan(40);
});

test.each(inWorkspaces.map((operation) => [nameOf(operation), operation] as const))(
  "an operation on a suspended workspace has the expected outcome: %s",
  async (name, operation) => {
    const found: readonly (Outcome | undefined)[] = await outcomesOf(operation);
    expect(found).toEqual([outcomes[name]]);
  },
);

test("every write to a bot is refused while its workspace is suspended", async () => {
  const others: string[] = [];
  const shared = await makePlace(api, people);
  for (const operation of ofBots) {
    const isOfBin = /\/(restore|erase)$/.test(operation.path);
    const found = await outcomesOf(operation, isOfBin ? undefined : shared);
    if (found.some((outcome) => outcome !== "workspace.suspended")) others.push(`${nameOf(operation)}: ${found}`);
  }
  expect(others).toEqual([]);
});

test("bots cannot be moved into a suspended workspace, individually or in bulk", async () => {
  const from = await makePlace(api, people);
  const to = await makePlace(api, people);
  const { botId } = await from.bot();
  await suspend(to);
  const { workspaceId } = to;
  const { token } = people.admin;
  const move = () => api.client.post(`/api/v1/bots/${botId}/move`, { token, body: { workspaceId } });
  const refused = { status: 409, body: { code: nothing, data: { reason } } };

  expect(await move()).toMatchObject({ ...refused, body: { message: expect.stringContaining(reason) } });
  const body = { action: "move", botIds: [botId], workspaceId, folderId: null };
  expect(await api.client.post("/api/v1/bots/bulk", { token, body })).toMatchObject(refused);
  await api.deps.sql`update workspaces set suspended_reason = null where id = ${workspaceId}`;
  expect((await move()).body).toMatchObject({ message: "You cannot add anything to a suspended workspace." });
  await resume(to);
  expect((await move()).status).toBe(200);
});

test("folders in a suspended workspace can be renamed, but not moved", async () => {
  const place = await makePlace(api, people);
  const folderId = await place.folderId();
  await suspend(place);
  const change = (folder: object) =>
    api.client.patch(`/api/v1/folders/${folderId}`, { token: people.admin.token, body: { folder } });

  expect((await change({ name: "Kept" })).status).toBe(200);
  expect(await change({ parentFolderId: null })).toMatchObject({ status: 409, body: { code: nothing } });
});

test("an administrator cannot copy or restore bots of a suspended workspace", async () => {
  const { userId, token } = people.administrator;
  for (const way of ["restore", "duplicate"]) {
    const place = await makePlace(api, people);
    const { workspaceId } = place;
    await api.deps.sql`insert into members (workspace_id, user_id, role) values (${workspaceId}, ${userId}, 'ADMIN')`;
    const botId = way === "restore" ? await place.deletedBotId() : (await place.bot()).botId;
    await suspend(place);
    const answer = await api.client.post(`/api/v1/bots/${botId}/${way}`, { token, body: {} });
    expect(answer).toMatchObject({ status: 409, body: { code: nothing } });
  }
});

const reason = "Unpaid since March";

function suspend({ workspaceId }: Place) {
  const { token } = people.administrator;
  return api.client.post(`/api/v1/workspaces/${workspaceId}/suspend`, { token, body: { reason } });
}

function resume({ workspaceId }: Place) {
  return api.client.post(`/api/v1/workspaces/${workspaceId}/resume`, { token: people.administrator.token });
}

async function outcomesOf(operation: Operation, shared?: Place): Promise<Outcome[]> {
  const found = new Set<Outcome>();
  for (const { call = () => ({}) } of rows[nameOf(operation)] ?? []) {
    const place = shared ?? (await makePlace(api, people));
    const prepared = await call(place);
    await suspend(place);
    const headers = { Authorization: `Bearer ${people.admin.token}` };
    const response = await api.handle(requestOf(operation, prepared, { headers, key: undefined }));
    found.add(response.status === 200 ? "ok" : await codeOf(response, operation));
    if (shared) await resume(shared);
  }
  return [...found];
}

async function codeOf(response: Response, { errors }: Operation): Promise<Outcome> {
  const { code } = JSON.parse(await response.text());
  if (!isErrorCode(code) || !errors.includes(code)) throw new Error(`Undocumented: ${code}`);
  noteError(code);
  return code;
}
