import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { testKey } from "../../support/events.ts";

let api: TestApi;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  api = await createTestApi({ config: { ENCRYPTION_KEY: testKey } });
  owner = await api.makeUser();
});
beforeEach(async () => {
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(() => api.close());

type Thing = { readonly address: string; readonly flow: object };
type Kind = { readonly code: string; readonly gone: string; make(): Promise<Thing> };

const post = (path: string, body: object = {}) => api.client.post(path, { token: owner.token, body });
const remove = (path: string) => api.client.delete(path, { token: owner.token });
const at = (path: string) => `/api/v1/workspaces/${workspaceId}/${path}`;
const strangeUrl = "https://elsewhere.example/a.png";
const plain = {
  ...flowOf([says("Nothing"), asks("text input")]),
  theme: { chat: { hostAvatar: { isEnabled: true, url: strangeUrl } } },
  settings: { metadata: { imageUrl: strangeUrl } },
};

const picture = async () => {
  const made = await api.client.post(at("files"), {
    token: owner.token,
    query: { name: "a.png" },
    rawBody: Uint8Array.from(Buffer.from("\x89PNG\r\n\x1a\nthe rest", "latin1")),
  });
  return { address: at(`files/${made.text("workspaceFile.id")}`), url: made.text("workspaceFile.url") };
};
const kinds: Record<string, Kind> = {
  credentials: {
    code: "credentials.in_use",
    gone: "credentials.not_found",
    async make() {
      const made = await post(at("credentials"), { type: "openai", name: "Ours", data: { apiKey: "sk-0123456789" } });
      const credentialsId = made.text("credentials.id");
      return {
        address: at(`credentials/${credentialsId}`),
        flow: flowOf([{ id: "model", type: "openai", options: { credentialsId } }]),
      };
    },
  },
  "a secret": {
    code: "secret.in_use",
    gone: "secret.not_found",
    async make() {
      await api.client.put(at("secrets/KEY"), { token: owner.token, body: { value: "planted-Value_0123456789" } });
      const webhook = { url: "https://crm.example.com", headers: [{ id: "h", key: "Key", value: "{{secret.KEY}}" }] };
      return {
        address: at("secrets/KEY"),
        flow: flowOf([{ id: "call", type: "Webhook", options: { webhook } }]),
      };
    },
  },
  "a picture of a block": {
    code: "workspace_file.in_use",
    gone: "file.not_found",
    async make() {
      const { address, url } = await picture();
      return { address, flow: flowOf([{ id: "picture", type: "image", content: { url } }]) };
    },
  },
  "a picture of a theme": {
    code: "workspace_file.in_use",
    gone: "file.not_found",
    async make() {
      const { address, url } = await picture();
      return { address, flow: { ...plain, theme: { chat: { hostAvatar: { isEnabled: true, url } } } } };
    },
  },
  "a picture of the settings": {
    code: "workspace_file.in_use",
    gone: "file.not_found",
    async make() {
      const { address, url } = await picture();
      return { address, flow: { ...plain, settings: { metadata: { imageUrl: url } } } };
    },
  },
};

async function makeBot(flow: object, place = workspaceId): Promise<string> {
  return (await post("/api/v1/bots", { workspaceId: place, bot: { name: "Chat", ...flow } })).text("bot.id");
}

async function publish(botId: string, body: object = {}) {
  expect((await post(`/api/v1/bots/${botId}/publish`, { force: true, ...body })).status).toBe(200);
}

async function edit(botId: string, flow: object) {
  const changed = await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot: flow } });
  expect(changed.status).toBe(200);
}

const refusal = async (address: string) => {
  const refused = await remove(address);
  return [refused.status, refused.at("code"), refused.at("data.bots")];
};

describe.each(Object.entries(kinds))("%s", (_, { code, gone, make }) => {
  test("resources of a published version are deleted only if force is requested", async () => {
    const { address, flow } = await make();
    const botId = await makeBot(flow);
    await publish(botId);
    await edit(botId, plain);

    expect(await refusal(address)).toEqual([409, code, [{ id: botId, name: "Chat", isDeleted: false }]]);
    expect((await remove(`${address}?force=true`)).status).toBe(200);
    const again = await remove(address);
    expect([again.status, again.at("code")]).toEqual([404, gone]);
  });

  test("resources of a running canary are not deleted", async () => {
    const { address, flow } = await make();
    const botId = await makeBot(plain);
    await publish(botId);
    await edit(botId, flow);
    await publish(botId, { percent: 10 });

    expect(await refusal(address)).toEqual([409, code, [{ id: botId, name: "Chat", isDeleted: false }]]);
    await post(`/api/v1/bots/${botId}/canary/rollback`);
    expect((await remove(address)).status).toBe(200);
  });

  test("resources of a bot in the bin are not deleted before the bot is erased", async () => {
    const { address, flow } = await make();
    const botId = await makeBot(flow);
    await publish(botId);
    await remove(`/api/v1/bots/${botId}`);

    expect(await refusal(address)).toEqual([409, code, [{ id: botId, name: "Chat", isDeleted: true }]]);
    expect((await post(`/api/v1/bots/${botId}/erase`)).status).toBe(200);
    expect((await remove(address)).status).toBe(200);
  });

  test("resources that only drafts or past versions use are deleted", async () => {
    const { address, flow } = await make();
    const botId = await makeBot(flow);
    await publish(botId);
    await edit(botId, plain);
    await publish(botId);
    await makeBot(flow);
    const other = await api.makeWorkspace(owner);
    await publish(await makeBot(flow, other));

    const elsewhere = await remove(address.replace(workspaceId, other));
    expect([elsewhere.status, elsewhere.at("code")]).toEqual([404, gone]);
    expect((await remove(address)).status).toBe(200);
  });
});
