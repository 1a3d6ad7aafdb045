import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { emptyBin } from "../../../src/management/bin/bin.job.ts";
import { contentOf } from "../../../src/management/files/file-content.ts";
import { uploadedFiles } from "../../../src/management/files/uploads.job.ts";
import { listStoredFiles } from "../../../src/platform/database/copy.sql.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { asks, flowOf, publish } from "../../support/chat.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads, config: { UPLOAD_MAX_MB: 1 } });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));
const png = bytes("\x89PNG\r\n\x1a\nthe rest");
const svg =
  '<?xml version="1.0"?>\n<!-- a > b --><!DOCTYPE svg>\n<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

const files = (id = workspaceId) => `/api/v1/workspaces/${id}/files`;
const upload = (
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
  options: { type?: string; workspace?: string } = {},
) =>
  api.client.post(files(options.workspace), {
    token: owner.token,
    query: { name },
    rawBody: content,
    headers: { "Content-Type": options.type ?? "application/octet-stream" },
  });
const open = (url: string, headers: Record<string, string> = {}) =>
  api.handle(new Request(new URL(new URL(url).pathname, "http://localhost").href, { headers }));
const remove = (id: string, place = workspaceId) => api.client.delete(`${files(place)}/${id}`, { token: owner.token });

describe("a file of authors", () => {
  test("an author's file is served with the type of its content", async () => {
    const made = await upload("../../<b>logo.html", png, { type: "text/html" });
    const file = made.at("workspaceFile");
    expect(file).toMatchObject({ workspaceId, name: "<b>logo.html", type: "image/png", bytes: png.length });
    expect(made.text("workspaceFile.url")).toMatch(/^http:\/\/localhost\/api\/workspace-files\/[0-9a-z]{26}\.png$/);
    expect((await api.client.get(files(), { token: owner.token })).at("files.0")).toEqual(file);

    const served = await open(made.text("workspaceFile.url"), { Origin: "https://elsewhere.example" });
    expect(new Uint8Array(await served.arrayBuffer())).toEqual(png);
    expect(Object.fromEntries(served.headers)).toMatchObject({
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("sandbox"),
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
    });
    const part = await open(made.text("workspaceFile.url"), { Range: "bytes=1-3" });
    expect([part.status, await part.text()]).toEqual([206, "PNG"]);
  });

  test("an author's file is available only at its own address", async () => {
    const url = (await upload("logo.png", png)).text("workspaceFile.url");

    expect((await open(url)).status).toBe(200);
    expect((await open(url.replace(/\.png$/, ".html"))).status).toBe(404);
  });

  test("an author's SVG file is served with a policy that allows no code", async () => {
    const served = await open((await upload("a.svg", svg)).text("workspaceFile.url"));
    expect(served.headers.get("content-type")).toBe("image/svg+xml");
    expect(served.headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
  });

  test("an author's file can be the font of a theme", async () => {
    const url = (await upload("Own.woff2", bytes("wOF2 and more"))).text("workspaceFile.url");
    const css = `@font-face{font-family:"Own";src:url(${url}) format("woff2")}`;
    const theme = { general: { font: { type: "Custom", family: "Own", css } } };
    const { publicId } = await publish(
      api.client,
      { token: owner.token, workspaceId },
      { ...flowOf([asks("text input")]), theme },
    );
    const page = await api.handle(new Request(`http://localhost/${publicId}`));

    expect(await page.text()).toContain(`src:url(${url})`);
    expect(page.headers.get("content-security-policy")).toContain("font-src 'self' https:");
    const served = await open(url);
    expect([served.headers.get("content-type"), served.headers.get("access-control-allow-origin")]).toEqual([
      "font/woff2",
      "*",
    ]);
  });

  test("an author's file is not served after its deletion", async () => {
    const made = await upload("a.png", png);
    const [id, url] = [made.text("workspaceFile.id"), made.text("workspaceFile.url")];
    const elsewhere = await api.makeWorkspace(owner);
    expect((await remove(id, elsewhere)).at("code")).toBe("file.not_found");
    expect((await remove(id)).status).toBe(200);
    expect((await open(url)).status).toBe(404);
    expect((await remove(id)).at("code")).toBe("file.not_found");
    expect(await api.deps.storage.read(id, undefined)).toBeDefined();
    await cleanUp();
    expect(await api.deps.storage.read(id, undefined)).toBeUndefined();
    expect(await rowsOf(id)).toEqual([]);
  });

  test("an author's file is not served while its workspace is in the bin", async () => {
    const place = await api.makeWorkspace(owner);
    const made = await upload("a.png", png, { workspace: place });
    const [id, url] = [made.text("workspaceFile.id"), made.text("workspaceFile.url")];
    expect(
      (await listStoredFiles(api.deps.sql, { table: "workspace_files", after: undefined, limit: 1_000 })).map(
        (one) => one.id,
      ),
    ).toContain(id);
    await api.client.delete(`/api/v1/workspaces/${place}`, { token: owner.token });
    expect((await open(url)).status).toBe(404);
    await api.client.post(`/api/v1/workspaces/${place}/restore`, { token: owner.token });
    expect((await open(url)).status).toBe(200);
    await api.client.delete(`/api/v1/workspaces/${place}`, { token: owner.token });
    await api.client.post(`/api/v1/workspaces/${place}/erase`, { token: owner.token });
    expect(await emptyBin(api.deps.sql).removeSome()).toBe(1);
    await cleanUp();
    expect(await api.deps.storage.read(id, undefined)).toBeUndefined();
  });

  test("an upload that is unfinished after two hours is removed by the clean-up", async () => {
    const made = await upload("a.png", png);
    const id = made.text("workspaceFile.id");
    await api.deps.sql`
      update workspace_files
      set stored_at = null, created_at = clock() - interval '2 hours'
      where id = ${id}`;
    await cleanUp();
    expect(await rowsOf(id)).toEqual([]);
  });
});

describe("a refused upload", () => {
  test("an upload is refused for an invalid file, a missing name or a full workspace", async () => {
    for (const content of ["<html><svg>", "%PDF-1.7", "#!/bin/sh", '{"a":1}', "<!-- <svg> "]) {
      const refused = await upload("a.png", content, { type: "image/png" });
      expect([content, refused.status, refused.at("code")]).toEqual([content, 400, "upload.type_not_allowed"]);
    }
    expect((await upload("a.png", "")).at("code")).toBe("upload.empty");
    const large = new Uint8Array(1024 * 1024 + 1);
    large.set(png);
    expect((await upload("a.png", large)).at("code")).toBe("request.too_large");
    const nameless = await api.client.post(files(), { token: owner.token, rawBody: png });
    expect(nameless.at("data.issues.0.path")).toBe("name");
    const full = await api.makeWorkspace(owner);
    await api.deps.sql`
      insert into workspace_files (id, workspace_id, name, extension, type, bytes, hash, stored_at)
      select gen_random_uuid(), ${full}, 'a', 'png', 'image/png', ${limits.authorFiles.bytesPerWorkspace - 5}, '', clock()`;
    expect((await upload("a.png", png, { workspace: full })).at("code")).toBe("workspace_file.too_many");
    expect((await open(`http://x/api/workspace-files/${"0".repeat(26)}.png`)).status).toBe(404);
  });

  test("an upload stores nothing if the storage fails", async () => {
    const { keep } = api.deps.storage;
    const before = await api.deps.sql`select id from workspace_files where not is_removed`;
    Object.assign(api.deps.storage, { keep: () => Promise.reject(new Error("The disk is gone")) });
    await upload("a.png", png).catch(() => undefined);
    Object.assign(api.deps.storage, { keep });
    expect(await api.deps.sql`select id from workspace_files where not is_removed`).toEqual(before);
  });
});

test.each([
  ["image/jpeg", "\xff\xd8\xff\xe0"],
  ["image/gif", "GIF89a"],
  ["image/webp", "RIFF\x01\x02\x03\x04WEBPVP8 "],
  ["audio/wav", "RIFF\x01\x02\x03\x04WAVEfmt "],
  ["image/avif", "\0\0\0\x1cftypavif"],
  ["audio/mp4", "\0\0\0\x1cftypM4A "],
  ["video/mp4", "\0\0\0\x1cftypisom"],
  ["video/quicktime", "\0\0\0\x14ftypqt  "],
  ["audio/ogg", `OggS${"\0".repeat(24)}OpusHead`],
  ["video/ogg", `OggS${"\0".repeat(24)}\x80theora`],
  ["audio/mpeg", "ID3\x04"],
  ["audio/mpeg", "\xff\xfb\x90"],
  ["audio/aac", "\xff\xf1\x50"],
  ["audio/flac", "fLaC"],
  ["video/webm", "\x1aE\xdf\xa3\x9f\x42\x86\x81\x01webm"],
  [undefined, "\x1aE\xdf\xa3\x9f\x42\x86\x81\x01matroska"],
  ["image/svg+xml", "\xef\xbb\xbf\n <svg/>"],
  [undefined, "<svgx>"],
  [undefined, ""],
])("the type that the first bytes of a file determine is %s", (type, head) => {
  expect(contentOf(bytes(head))?.type).toBe(type);
});

async function cleanUp(): Promise<void> {
  const task = uploadedFiles(api.deps.sql, api.deps.storage).find(({ name }) => name === "removed-files-of-authors");
  await task?.removeSome();
}

async function rowsOf(id: string): Promise<unknown[]> {
  return [...(await api.deps.sql`select id from workspace_files where id = ${id}`)];
}
