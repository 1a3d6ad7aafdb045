import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { createApp } from "../../../src/service/app.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { type Answer, type Client, createClient } from "../../support/client.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { askToUpload, put } from "../../support/uploads.ts";

const folder = temporaryFolder();
let api: TestApi;
let threads: Threads;
let owner: TestUser;
let publicId: string;
let server: Bun.Server<undefined>;
let client: Client;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads, config: { DATA_DIR: folder.path } });
  owner = await api.makeUser();
  const workspaceId = await api.makeWorkspace(owner);
  const input = asks("file input", { isMultipleAllowed: true, sizeLimit: 1 });
  publicId = (await publish(api.client, { token: owner.token, workspaceId }, flowOf([input, says("Thank you")])))
    .publicId;
  const app = createApp(api.deps);
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    maxRequestBodySize: (limits.uploads.fileMegabytes + 1) * 1024 * 1024,
    fetch: (request) => app.fetch(request),
  });
  client = createClient({ baseUrl: server.url.origin });
});
afterAll(async () => {
  await server.stop(true);
  await threads.close();
  await api.close();
  folder.remove();
});

const newChat = async () => (await start(client, publicId)).text("sessionId");

function ask(version: number, sessionId: string, fileName: string): Promise<Answer> {
  return client.post(`/api/v${version}/generate-upload-url`, {
    body: { sessionId, fileName, fileType: "application/pdf" },
  });
}

/** Returns the form of an old client: the fields of the response, followed by the file. */
function formOf(asked: Answer, file: Blob | string, name = "file"): FormData {
  const form = new FormData();
  for (const [key, value] of Object.entries(Object(asked.at("formData")))) form.append(key, String(value));
  if (typeof file === "string") form.append(name, file);
  else form.append(name, file, "a.pdf");
  return form;
}

const pdf = (content: string) => new Blob([content], { type: "application/pdf" });

async function postForm(asked: Answer, body: FormData | string, headers: Record<string, string> = {}) {
  const answer = await client.post(new URL(asked.text("presignedUrl")).pathname, {
    rawBody: body,
    headers: { Origin: "https://site.example", ...headers },
  });
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  return { status: answer.status, answer: Object(answer.body) };
}

describe("a client of a previous version", () => {
  test.each([2, 1])(
    "a client of generate-upload-url v%i sends three files, and only the file that is too large is rejected",
    async (version) => {
      const sessionId = await newChat();
      const contents = ["one", "x".repeat(1024 * 1024 + 1), "three"];
      const uploaded: string[] = [];
      const statuses: number[] = [];
      for (const content of contents) {
        const asked = await ask(version, sessionId, "a.pdf");
        expect(Object.keys(Object(asked.body)).toSorted()).toEqual(["fileUrl", "formData", "presignedUrl"]);
        expect(asked.at("formData")).toEqual({});
        const { status } = await postForm(asked, formOf(asked, pdf(content)));
        statuses.push(status);
        if (status === 200) uploaded.push(asked.text("fileUrl"));
      }
      expect(statuses).toEqual([200, 413, 200]);
      expect(await Promise.all(uploaded.map(async (url) => (await fetch(url)).text()))).toEqual(["one", "three"]);
      const said = await say(client, sessionId, uploaded.join(", "));
      expect(JSON.stringify(said.at("messages"))).toContain("Thank you");
    },
  );

  test("a client of a previous version may post across origins", async () => {
    const asked = await ask(2, await newChat(), "a.pdf");
    const headers = { Origin: "https://site.example", "Access-Control-Request-Method": "POST" };
    const preflight = await fetch(asked.text("presignedUrl"), { method: "OPTIONS", headers });
    expect(preflight.headers.get("access-control-allow-methods")).toBe("PUT, POST, OPTIONS");
  });

  test("a repeated upload with the same permission must have the same content", async () => {
    const asked = await askToUpload(client, await newChat());
    const first = await postForm(asked, formOf(asked, pdf("one")));
    expect(first).toEqual({ status: 200, answer: { bytes: 3 } });
    expect((await put(client, asked, "one")).status).toBe(200);
    expect((await postForm(asked, formOf(asked, pdf("one")))).status).toBe(200);
    expect((await postForm(asked, formOf(asked, pdf("two")))).answer.code).toBe("upload.conflict");
    expect((await put(client, asked, "two")).at("code")).toBe("upload.conflict");
  });

  test("a client of a previous version can omit the file's type", async () => {
    const asked = await ask(2, await newChat(), "a.pdf");
    const other = await postForm(asked, formOf(asked, new Blob(["x"], { type: "image/png" })));
    expect(other.answer.code).toBe("upload.type_not_allowed");
    expect((await postForm(asked, formOf(asked, "x"))).status).toBe(200);
    const served = await fetch(asked.text("fileUrl"));
    expect(served.headers.get("content-type")).toBe("application/pdf");
    const again = await ask(2, await newChat(), "a.pdf");
    expect((await postForm(again, formOf(again, new Blob(["x"])))).status).toBe(200);
  });

  test("a client of a previous version cannot send a malformed form", async () => {
    const asked = await ask(2, await newChat(), "a.pdf");
    expect((await postForm(asked, formOf(asked, pdf("x"), "other"))).answer.code).toBe("upload.empty");
    expect((await postForm(asked, formOf(asked, pdf("")))).answer.code).toBe("upload.empty");
    const json = await postForm(asked, "{}", { "Content-Type": "application/json" });
    expect(json.answer).toMatchObject({
      code: "request.malformed",
      message: expect.stringContaining("multipart/form-data"),
    });
    const cut = await postForm(asked, '--e\r\nContent-Disposition: form-data; name="file"\r\n\r\nabc', {
      "Content-Type": "multipart/form-data; boundary=e",
    });
    expect(cut.answer.code).toBe("upload.interrupted");
    expect((await fetch(asked.text("fileUrl"))).status).toBe(404);
  });

  test("a client of a previous version cannot use another chat's file", async () => {
    const [mine, theirs] = [await newChat(), await newChat()];
    const asked = await ask(2, theirs, "a.pdf");
    expect((await postForm(asked, formOf(asked, pdf("theirs")))).status).toBe(200);
    // Anyone with the address can store one file there, but only the chat of the address may send the file.
    expect((await postForm(asked, formOf(asked, pdf("mine")))).answer.code).toBe("upload.conflict");
    const said = await say(client, mine, asked.text("fileUrl"));
    expect(said.at("input.type")).toBe("file input");
    expect(await (await fetch(asked.text("fileUrl"))).text()).toBe("theirs");

    const broken = await ask(2, mine, "a.pdf");
    const head = 'Content-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\nabc';
    for (const [type, body] of [
      ["multipart/form-data; boundary=other", `--edge\r\n${head}\r\n--edge--\r\n`],
      ["multipart/form-data; boundary=edge", `--edge\n${head.replaceAll("\r", "")}\n--edge--\n`],
      ["multipart/form-data; boundary=edge", `--edge\r\n${head}\r\n--edg`],
      ["multipart/form-data; boundary=edge", ""],
    ] as const) {
      const { answer } = await postForm(broken, body, { "Content-Type": type });
      expect([type, body, answer.code]).toEqual([type, body, expect.stringMatching(/^upload\.(interrupted|empty)$/)]);
    }
    const without = await postForm(broken, head, { "Content-Type": "multipart/form-data" });
    expect(without.answer.code).toBe("request.malformed");
    expect((await fetch(broken.text("fileUrl"))).status).toBe(404);
    expect((await postForm(broken, formOf(broken, pdf("whole")))).status).toBe(200);
  });

  test("a client of a previous version is rejected before it sends 100 MB", async () => {
    const asked = await ask(2, await newChat(), "a.pdf");
    let sent = 0;
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        if (sent === 0) {
          controller.enqueue(
            new TextEncoder().encode('--edge\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'),
          );
        }
        if (sent >= 100) return controller.close();
        sent++;
        controller.enqueue(new Uint8Array(1024 * 1024));
      },
    });
    const refused = await client
      .post(new URL(asked.text("presignedUrl")).pathname, {
        rawBody: body,
        headers: { "Content-Type": "multipart/form-data; boundary=edge" },
      })
      .then((answer) => answer.at("code"))
      // A client may lose the connection while it is still sending.
      .catch(() => "request.too_large");
    expect(refused).toBe("request.too_large");
    expect(sent).toBeLessThan(100);
    expect((await fetch(asked.text("fileUrl"))).status).toBe(404);
  });

  test("only the first of two files in a form of a previous version is stored", async () => {
    const asked = await ask(2, await newChat(), "a.pdf");
    const form = formOf(asked, pdf("one"));
    form.append("file", pdf("two"), "b.pdf");
    expect((await postForm(asked, form)).status).toBe(200);
    expect(await (await fetch(asked.text("fileUrl"))).text()).toBe("one");
  });

  test("a client of a previous version cannot forge or exceed an upload permission", async () => {
    const asked = await ask(2, await newChat(), "a.pdf");
    const other = await ask(2, await newChat(), "a.pdf");
    const mixed = asked
      .text("presignedUrl")
      .replace(/\.[\w-]+$/, /\.[\w-]+$/.exec(other.text("presignedUrl"))?.[0] ?? "");
    const forged = await fetch(mixed, { method: "POST", body: formOf(asked, pdf("x")) });
    expect(Object(await forged.json()).code).toBe("upload.address_invalid");
    const large = await postForm(asked, formOf(asked, pdf("x".repeat(3_000_000))));
    expect(large.answer).toMatchObject({ code: "request.too_large", data: { maxBytes: 1024 * 1024 } });
  });

  test("a client of a previous version is rejected for an unknown or ended chat", async () => {
    expect((await ask(2, "nowhere", "a.pdf")).at("code")).toBe("session.not_found");
    const sessionId = await newChat();
    const asked = await ask(2, sessionId, "a.pdf");
    await postForm(asked, formOf(asked, pdf("x")));
    await say(client, sessionId, asked.text("fileUrl"));
    expect((await ask(1, sessionId, "a.pdf")).at("code")).toBe("session.ended");
  });
});
