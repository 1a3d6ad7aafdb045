import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../../src/config.ts";
import { newId } from "../../../src/platform/ids.ts";
import { discard, receiveFile, removeOldArrivals } from "../../../src/platform/storage/arrival.ts";
import { openStorage } from "../../../src/platform/storage/open-storage.ts";
import type { Storage } from "../../../src/platform/storage/storage.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { type S3Server, startS3 } from "../../support/s3.ts";

const folder = temporaryFolder();
let s3: S3Server;
let storages: Readonly<Record<"folder" | "s3", Storage>>;

beforeAll(() => {
  s3 = startS3();
  storages = {
    folder: openStorage(readConfig({ DATA_DIR: folder.path })),
    s3: openStorage(readConfig(settings())),
  };
});
afterAll(async () => {
  await s3.stop();
  folder.remove();
});

const settings = (): Record<string, string> => ({
  S3_BUCKET: s3.bucket,
  S3_ENDPOINT: s3.endpoint,
  S3_REGION: "eu-west-1",
  S3_ACCESS_KEY_ID: s3.accessKeyId,
  S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
});

const bytesOf = (text: string) => new TextEncoder().encode(text);
const streamOf = (...parts: readonly string[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(bytesOf(part));
      controller.close();
    },
  });

async function keep(storage: Storage, id: string, content: string): Promise<void> {
  const arrival = await receiveFile(streamOf(content), { folder: storage.arrivals, maxBytes: 1_000 });
  if (arrival === "too large") throw new Error("The content is too large");
  await storage.keep(id, { path: arrival.path, type: "text/plain" });
  await discard(arrival);
}

const textOf = async (storage: Storage, id: string, range?: { first: number; last: number }) => {
  const content = await storage.read(id, range);
  return content && new Response(content).text();
};

describe.each(["folder", "s3"] as const)("a storage (%s)", (kind) => {
  test("a storage returns a stored file or a part of it", async () => {
    const id = newId();
    await keep(storages[kind], id, "one two three");

    expect(await textOf(storages[kind], id)).toBe("one two three");
    expect(await textOf(storages[kind], id, { first: 4, last: 6 })).toBe("two");
  });

  test("a storage deletes a file, and accepts a second deletion without an error", async () => {
    const id = newId();
    await keep(storages[kind], id, "short-lived");

    await storages[kind].remove(id);
    await storages[kind].remove(id);

    expect(await storages[kind].read(id, undefined)).toBeUndefined();
  });

  test("a storage reports storage.unavailable if the arrived file is missing", async () => {
    const id = newId();
    const path = join(storages[kind].arrivals, newId());

    await expect(storages[kind].keep(id, { path, type: "text/plain" })).rejects.toMatchObject({
      code: "storage.unavailable",
    });
    expect(await storages[kind].read(id, undefined)).toBeUndefined();
  });
});

describe("an S3-compatible storage", () => {
  test("an S3-compatible storage gets signed requests and the content type", async () => {
    const id = newId();
    await keep(storages.s3, id, "typed");

    expect(s3.requests).toContain(`PUT ${id.slice(-2)}/${id}`);
    expect(s3.objects.get(`${id.slice(-2)}/${id}`)?.type).toContain("text/plain");
  });

  test.each([
    [
      "a wrong secret",
      { S3_SECRET_ACCESS_KEY: "wrong" },
      "S3 answered 403 SignatureDoesNotMatch: The request signature",
    ],
    ["a wrong bucket", { S3_BUCKET: "other-bucket" }, "S3 answered 404 NoSuchBucket: The specified bucket does not"],
  ])("an S3-compatible storage reports the reason for refusing %s", async (_, wrong, reason) => {
    const storage = openStorage(readConfig({ ...settings(), ...wrong }));
    const expected = { code: "storage.unavailable", cause: { message: expect.stringContaining(reason) } };

    await expect(keep(storage, newId(), "x")).rejects.toMatchObject(expected);
    await expect(storage.read(newId(), undefined)).rejects.toMatchObject(expected);
    await expect(storage.remove(newId())).rejects.toMatchObject(expected);
  });

  test("an unreachable S3-compatible storage is reported as unavailable", async () => {
    const storage = openStorage(readConfig({ ...settings(), S3_ENDPOINT: "http://127.0.0.1:1" }));

    await expect(storage.read(newId(), undefined)).rejects.toMatchObject({ code: "storage.unavailable" });
  });
});

describe("an arriving file", () => {
  const arrivals = join(folder.path, "arrivals");

  test("receiving a file returns its size and the hash of its content", async () => {
    const arrival = await receiveFile(streamOf("ab", "c"), { folder: arrivals, maxBytes: 3 });

    expect(arrival).toMatchObject({
      bytes: 3,
      hash: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    });
  });

  test("an arriving file is written to disk in pieces", async () => {
    const own = join(folder.path, "own");
    const piece = new Uint8Array(64 * 1024);
    let sent = 0;
    let mostHeld = 0;
    const large = new ReadableStream<Uint8Array>({
      pull(controller) {
        const written = existsSync(own) ? readdirSync(own).map((name) => statSync(join(own, name)).size) : [];
        mostHeld = Math.max(mostHeld, sent - (written[0] ?? 0));
        if (sent >= 20 * 1024 * 1024) return controller.close();
        controller.enqueue(piece);
        sent += piece.length;
      },
    });

    expect(await receiveFile(large, { folder: own, maxBytes: 20 * 1024 * 1024 })).toMatchObject({
      bytes: 20 * 1024 * 1024,
    });
    expect(mostHeld).toBeLessThan(1024 * 1024);
  });

  test("the written part of a failed upload is removed", async () => {
    const before = readdirSync(arrivals).length;
    let isCancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(bytesOf("more ")),
      cancel() {
        isCancelled = true;
      },
    });
    const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("Gone")) });

    expect(await receiveFile(endless, { folder: arrivals, maxBytes: 1_000 })).toBe("too large");
    await expect(receiveFile(broken, { folder: arrivals, maxBytes: 3 })).rejects.toMatchObject({
      code: "upload.interrupted",
    });
    expect(isCancelled).toBe(true);
    expect(readdirSync(arrivals).length).toBe(before);
  });

  test("an arriving file that cannot be written is reported as storage.unavailable", async () => {
    const file = join(folder.path, "no-folder");
    writeFileSync(file, "");

    await expect(receiveFile(streamOf("x"), { folder: file, maxBytes: 3 })).rejects.toMatchObject({
      code: "storage.unavailable",
    });
  });

  test("partial files are removed after an hour", async () => {
    const left = join(folder.path, "left");
    mkdirSync(join(left, "folder"), { recursive: true });
    const arrived = (name: string, minutesAgo: number) => {
      const at = Date.now() / 1_000 - 60 * minutesAgo;
      writeFileSync(join(left, name), "x");
      utimesSync(join(left, name), at, at);
    };
    for (const name of ["one", "two", "three"]) arrived(name, 61);
    arrived("arriving", 59);
    utimesSync(join(left, "folder"), 1_000, 1_000);
    const sweep = () => removeOldArrivals(left, { olderThanMs: 3_600_000, limit: 2 });

    expect([await sweep(), await sweep(), await sweep()]).toEqual([2, 1, 0]);
    expect(readdirSync(left).toSorted()).toEqual(["arriving", "folder"]);
    expect(await removeOldArrivals(join(folder.path, "never-made"), { olderThanMs: 0, limit: 1 })).toBe(0);
  });
});
