import { afterAll, beforeAll, expect, test } from "bun:test";
import { person, serviceAccount } from "../../fake-providers/google/accounts.ts";
import { startFakeGoogle } from "../../fake-providers/google/server.ts";
import { fakes as startFakes } from "../../fake-providers/index.ts";
import type { FakeProvider } from "../../fake-providers/kit.ts";
import { idOf } from "../../support/builder-ids.ts";
import { createServiceChats, plantedServiceKey, type ServiceChats } from "../../support/service-chats.ts";

let providers: readonly FakeProvider[];
let chats: ServiceChats;

beforeAll(async () => {
  providers = [await startFakeGoogle(), ...(await Promise.all(startFakes.map((starts) => starts({ port: 0 }))))];
  chats = await createServiceChats(providers);
});
afterAll(async () => {
  await chats.close();
  for (const { close } of providers) await close();
});

const variableId = idOf("Email");
const sheet = { spreadsheetId: "leads", sheetId: "0" };
const mail = { action: "Send email", to: "team@example.com", subject: "New", body: "Hello" };
const keys = { liveSecretKey: "sk_live_1", livePublicKey: "pk_live_1" };

/** Blocks that call a service in their step, each with the type and the data of its credentials. */
const blocks: readonly (readonly [type: string, options: object, kind: string, data: object])[] = [
  ["nocodb", { action: "Search Records", tableId: "table" }, "nocodb", { apiKey: plantedServiceKey }],
  [
    "elevenlabs",
    { action: "Convert text to speech", text: "Hello", voiceId: "voice1", saveUrlInVariableId: variableId },
    ...(["elevenlabs", { apiKey: plantedServiceKey }] as const),
  ],
  ["dify-ai", { action: "Create Chat Message", query: "Hello" }, "dify-ai", { apiKey: plantedServiceKey }],
  [
    "chat-node",
    { action: "Send Message", botId: "known-bot", message: "Hello" },
    ...(["chat-node", { apiKey: plantedServiceKey }] as const),
  ],
  [
    "blink",
    { action: "Get Users", filter: { by: "User ID", value: "u-1" } },
    ...(["blink", { apiKey: plantedServiceKey }] as const),
  ],
  [
    "gmail",
    { ...mail, responseMapping: [{ item: "Thread ID", variableId }] },
    "gmail",
    { ...person, clientId: "client-1", clientSecret: plantedServiceKey },
  ],
  [
    "Google Sheets",
    { ...sheet, action: "Insert a row", cellsToInsert: [{ id: "c", column: "Name", value: "Ana" }] },
    ...(["google sheets", serviceAccount] as const),
  ],
  ["payment input", { amount: "5", currency: "EUR" }, "stripe", keys],
];

/** Ids that do not identify readable credentials of the right workspace and type. */
const strange: readonly (readonly [what: string, idOf: (kind: string, data: object) => Promise<string | undefined>])[] =
  [
    ["missing credentials", async () => undefined],
    ["unknown credentials", async () => "01m8cjpfzz6j4d308kwa4wpfhq"],
    ["an invalid credentials id", async () => "{{Name}}"],
    ["credentials of another type", () => chats.makeCredentials("segment", { apiKey: plantedServiceKey })],
    [
      "credentials of another workspace",
      async (kind, data) => {
        const { api } = chats;
        const owner = await api.makeUser();
        const path = `/api/v1/workspaces/${await api.makeWorkspace(owner)}/credentials`;
        const body = { type: kind, name: "Theirs", data };
        return (await api.client.post(path, { token: owner.token, body })).text("credentials.id");
      },
    ],
    [
      "credentials that no key decrypts",
      async (kind, data) => {
        const id = await chats.makeCredentials(kind, data);
        await chats.api.deps
          .sql`update credentials set sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1) where id = ${id}`;
        return id;
      },
    ],
  ];

const cases = blocks.flatMap((block) => strange.map((one) => [block[0], one[0], block, one] as const));

test.each(cases)(
  "a block of type %s with %s makes no call, logs one entry and follows the failure edge",
  async (_, what, block, [, idFor]) => {
    const [type, options, kind, data] = block;
    const asked = () => providers.reduce((sum, one) => sum + one.asked.length, 0);
    const before = asked();

    const { texts, logs, everything } = await chats.talk({
      type,
      options: { ...options, credentialsId: await idFor(kind, data) },
    });

    expect([texts].flat().at(-1)).toBe("Failed: ");
    expect(logs.filter(({ status }) => status === "error")).toHaveLength(1);
    if (what === "credentials that no key decrypts") expect(logs[0]?.details).toContain("enter them again");
    expect(everything).not.toContain(plantedServiceKey);
    expect(asked()).toBe(before);
  },
);
