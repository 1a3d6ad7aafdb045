import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { emptyBin } from "../../../src/management/bin/bin.job.ts";
import { uploadedFiles } from "../../../src/management/files/uploads.job.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { asks, flowOf } from "../../support/chat.ts";

let api: TestApi;
let owner: TestUser;
let here: string;
let there: string;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.makeUser();
});
beforeEach(async () => {
  here = await api.makeWorkspace(owner);
  there = await api.makeWorkspace(owner);
});
afterAll(() => api.close());

const post = (path: string, body: object = {}) => api.client.post(`/api/v1/${path}`, { token: owner.token, body });
const remove = (path: string) => api.client.delete(`/api/v1/${path}`, { token: owner.token });
const edit = (botId: string, bot: object) =>
  api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot } });
const move = (botId: string, workspaceId: string) => post(`bots/${botId}/move`, { workspaceId });

async function upload(workspaceId: string, name: string): Promise<{ id: string; url: string }> {
  const made = await api.client.post(`/api/v1/workspaces/${workspaceId}/files`, {
    token: owner.token,
    query: { name },
    rawBody: Uint8Array.from(Buffer.from(`\x89PNG\r\n\x1a\n${name}`, "latin1")),
  });
  return { id: made.text("workspaceFile.id"), url: made.text("workspaceFile.url") };
}

const listed = async (workspaceId: string, field: "id" | "name") => {
  const found = await api.client.get(`/api/v1/workspaces/${workspaceId}/files`, { token: owner.token });
  return found.list(`files.*.${field}`).map(String).toSorted();
};
const names = (workspaceId: string) => listed(workspaceId, "name");

/** Returns the end of the file's content, which identifies the file, or the status of a failed request. */
async function shown(url: string): Promise<string> {
  const answered = await api.handle(new Request(new URL(new URL(url).pathname, "http://localhost").href));
  return answered.status === 200 ? (await answered.text()).slice(8) : String(answered.status);
}

const plain = flowOf([asks("text input")]);
const shows = (...urls: readonly string[]) =>
  flowOf(urls.map((url, index) => ({ id: `picture${index}`, type: "image", content: { url } })));

async function makeBot(flow: object, workspaceId = here): Promise<string> {
  return (await post("bots", { workspaceId, bot: { name: "Chat", ...flow } })).text("bot.id");
}
const publish = (botId: string) => post(`bots/${botId}/publish`, { force: true });

async function erase(workspaceId: string) {
  await remove(`workspaces/${workspaceId}`);
  await post(`workspaces/${workspaceId}/erase`);
  while ((await emptyBin(api.deps.sql).removeSome()) > 0);
  for (const job of uploadedFiles(api.deps.sql, api.deps.storage)) while ((await job.removeSome()) > 0);
}

describe("a bot that moves to another workspace", () => {
  test("a bot that moves to another workspace gets copies of its files", async () => {
    const [older, newer, face, preview, unused] = await Promise.all(
      ["older", "newer", "face", "preview", "unused"].map((name) => upload(here, name)),
    );
    const botId = await makeBot(shows(older?.url ?? ""));
    await publish(botId);
    await edit(botId, shows(newer?.url ?? ""));
    await publish(botId);
    const theme = { chat: { hostAvatar: { isEnabled: true, url: face?.url } } };
    await edit(botId, { ...plain, theme, settings: { metadata: { imageUrl: preview?.url } } });

    const moved = await move(botId, there);

    expect([moved.status, moved.at("copiedFiles"), moved.at("missingFiles")]).toEqual([200, 4, []]);
    expect(await names(there)).toEqual(["face", "newer", "older", "preview"]);
    expect(await names(here)).toEqual(["face", "newer", "older", "preview", "unused"]);
    expect((await remove(`workspaces/${here}/files/${face?.id}`)).status).toBe(200);
    expect(await shown(face?.url ?? "")).toBe("face");
    await erase(here);
    expect(await Promise.all([older, newer, face, preview].map((file) => shown(file?.url ?? "")))).toEqual([
      ...["older", "newer", "face", "preview"],
    ]);
    expect(await shown(unused?.url ?? "")).toBe("404");
    expect(await names(there)).toEqual(["face", "newer", "older", "preview"]);
  });

  test("the copied files of a published version are protected from deletion", async () => {
    const { id, url } = await upload(here, "logo");
    const botId = await makeBot(shows(url));
    await publish(botId);
    await move(botId, there);
    const path = `workspaces/${there}/files/${await listed(there, "id")}`;
    await remove(`workspaces/${here}/files/${id}`);

    expect((await post(`bots/${botId}/lint`)).at("findings.*.rule")).not.toContain("file_missing");
    expect((await remove(path)).at("code")).toBe("workspace_file.in_use");
    expect((await remove(`workspaces/${there}/files/${id}`)).at("code")).toBe("file.not_found");
    expect((await remove(`${path}?force=true`)).status).toBe(200);
    expect(await shown(url)).toBe("404");
    expect((await post(`bots/${botId}/lint`)).at("findings.*.rule")).toContain("file_missing");
  });

  test("moving a bot copies no file that already exists", async () => {
    const { url } = await upload(here, "logo");
    const strange = await upload(await api.makeWorkspace(owner), "strange");
    const botId = await makeBot(shows(url, strange.url));

    expect((await move(botId, here)).at("copiedFiles")).toBe(0);
    expect((await move(botId, there)).at("copiedFiles")).toBe(2);
    expect((await move(botId, here)).at("copiedFiles")).toBe(1);
    expect((await move(botId, there)).at("copiedFiles")).toBe(0);
    expect(await names(there)).toEqual(["logo", "strange"]);
  });

  test("a moved bot can be moved again after its original files were erased", async () => {
    const { url } = await upload(here, "logo");
    const botId = await makeBot(shows(url));
    await move(botId, there);
    await erase(here);
    const third = await api.makeWorkspace(owner);

    expect((await move(botId, third)).at("copiedFiles")).toBe(1);
    await erase(there);
    expect(await shown(url)).toBe("logo");
    expect(await names(third)).toEqual(["logo"]);
  });

  test.each<[string, { rows: number; bytes: number }]>([
    ["bytes", { rows: 1, bytes: limits.authorFiles.bytesPerWorkspace - 15 }],
    ["files", { rows: limits.authorFiles.perWorkspace - 1, bytes: 0 }],
  ])(
    "a bot stays in its workspace if the other workspace has no room for the bot's files (limit of %s)",
    async (_, { rows, bytes }) => {
      const [one, two] = [await upload(here, "one"), await upload(here, "two")];
      const botId = await makeBot(shows(one.url, two.url));
      await api.deps.sql`
      insert into workspace_files (id, workspace_id, name, extension, type, bytes, hash, stored_at)
      select gen_random_uuid(), ${there}, 'a', 'png', 'image/png', ${bytes}, '', clock()
      from generate_series(1, ${rows})`;

      const refused = await move(botId, there);

      expect([refused.status, refused.at("code")]).toEqual([409, "workspace_file.no_room"]);
      expect(refused.at("data")).toEqual({
        neededBytes: 22,
        freeBytes: limits.authorFiles.bytesPerWorkspace - rows * bytes,
      });
      const bulk = await post("bots/bulk", { action: "move", botIds: [botId], workspaceId: there, folderId: null });
      expect(bulk.at("code")).toBe("workspace_file.no_room");
      const bot = await api.client.get(`/api/v1/bots/${botId}`, { token: owner.token });
      expect(bot.at("bot.workspaceId")).toBe(here);
      expect(new Set(await names(there))).toEqual(new Set(["a"]));
    },
  );

  test("files copied for a move are removed if the move fails", async () => {
    const [one, two] = [await upload(here, "one"), await upload(here, "two")];
    const botId = await makeBot(shows(one.url, two.url));
    const { keep } = api.deps.storage;
    const keeping = (also: (count: number) => Promise<unknown>) => {
      let count = 0;
      const replaced: typeof keep = async (...args) => {
        await keep(...args);
        await also(++count);
      };
      Object.assign(api.deps.storage, { keep: replaced });
    };

    keeping(async (count) => {
      if (count === 2) throw new Error("The disk is gone");
    });
    await move(botId, there).catch(() => undefined);
    expect(await names(there)).toEqual([]);
    keeping((count) => (count === 2 ? remove(`bots/${botId}`) : Promise.resolve()));
    expect((await move(botId, there)).at("code")).toBe("bot.not_found");
    expect(await names(there)).toEqual([]);
    Object.assign(api.deps.storage, { keep });
  });
});

describe("files of an erased workspace", () => {
  test("files of an erased workspace move to other workspaces that use them", async () => {
    const [drafted, versioned, unnamed] = [
      await upload(here, "drafted"),
      await upload(here, "versioned"),
      await upload(here, "unnamed"),
    ];
    const botId = await makeBot(shows(versioned.url), there);
    await publish(botId);
    await edit(botId, shows(drafted.url));
    await makeBot(shows(unnamed.url), here);

    await erase(here);

    expect(await names(there)).toEqual(["drafted", "versioned"]);
    expect([await shown(drafted.url), await shown(versioned.url)]).toEqual(["drafted", "versioned"]);
    expect(await shown(unnamed.url)).toBe("404");
  });

  test("the last copy of a file that a bot references is retained", async () => {
    const { url } = await upload(here, "logo");
    const botId = await makeBot(shows(url));
    await move(botId, there);
    await erase(here);
    const third = await api.makeWorkspace(owner);
    await makeBot(shows(url), third);

    await erase(there);

    expect(await shown(url)).toBe("logo");
    expect(await names(third)).toEqual(["logo"]);
  });
});
