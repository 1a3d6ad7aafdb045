import { afterEach, expect, test } from "bun:test";
import { uploadFiles } from "../../src/web/browser/upload.ts";
import { wordsOf } from "../../src/web/conversation/words.ts";

const { fetch: ownFetch } = globalThis;
afterEach(() => {
  globalThis.fetch = ownFetch;
  Reflect.deleteProperty(globalThis, "XMLHttpRequest");
});

/** A fake `XMLHttpRequest` that succeeds immediately. */
class StoringRequest {
  readonly upload = {};
  status = 0;
  onload = (): void => {};
  open(): void {}
  setRequestHeader(): void {}
  send(): void {
    this.status = 200;
    this.onload();
  }
}

test("a stored file is not uploaded again in its chat", async () => {
  const asked: unknown[] = [];
  const answer = async (_address: unknown, request?: RequestInit): Promise<Response> => {
    const { sessionId } = JSON.parse(String(request?.body));
    asked.push(sessionId);
    return Response.json({ presignedUrl: "/api/upload", fileUrl: `https://files.example/${sessionId}` });
  };
  globalThis.fetch = Object.assign(answer, { preconnect: ownFetch.preconnect });
  Reflect.set(globalThis, "XMLHttpRequest", StoringRequest);
  const form = new FormData();
  const file = new File(["a"], "a.txt", { type: "text/plain" });
  // A browser's form contains the same file object each time it is read.
  Object.defineProperty(form, Symbol.iterator, { value: () => [["file", file]].values() });
  const upload = async (sessionId: string) => {
    const options = { base: "", sessionId, input: { id: "in", type: "file input" }, onProgress: () => {} };
    const uploaded = await uploadFiles(form, { ...options, words: wordsOf({ systemMessages: {} }) });
    return uploaded.kind === "stored" ? uploaded.form.get("file") : uploaded;
  };

  expect(await upload("one")).toBe("https://files.example/one");
  expect(await upload("one")).toBe("https://files.example/one");
  expect(await upload("two")).toBe("https://files.example/two");
  expect(asked).toEqual(["one", "two"]);
});

test("an upload is not retried after the daily limit is reached", async () => {
  let asked = 0;
  const answer = async (): Promise<Response> => {
    asked++;
    const error = { code: "workspace.storage_full", status: 429, message: "Full", requestId: "r" };
    return Response.json(error, { status: 429, headers: { "Retry-After": "40000" } });
  };
  globalThis.fetch = Object.assign(answer, { preconnect: ownFetch.preconnect });
  const form = new FormData();
  form.append("file", new File(["a"], "a.txt", { type: "text/plain" }));
  const options = { base: "", sessionId: "one", input: { id: "in", type: "file input" }, onProgress: () => {} };
  const words = wordsOf({ systemMessages: {} });

  expect(await uploadFiles(form, { ...options, words })).toEqual({ kind: "wrong", error: words.filesFull });
  expect(asked).toBe(1);
});
