import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../../src/config.ts";
import { type Base, baseObject } from "../../../src/platform/archive/base.ts";
import { readCatalog, readTree } from "../../../src/platform/archive/catalog.ts";
import { type Objects, openObjects } from "../../../src/platform/archive/objects.ts";
import { chooseRange } from "../../../src/platform/archive/restore.ts";
import { seal } from "../../../src/platform/archive/sealed.ts";
import { fetchWal, keepWal, nextSegment } from "../../../src/platform/archive/wal.ts";
import { outdatedObjects } from "../../../src/platform/archive/watch.ts";
import { startS3 } from "../../support/s3.ts";
import { cleanupStack } from "../../support/service.ts";

const cleanups = cleanupStack();
afterEach(cleanups.run);

function open(
  kind: "folder" | "bucket",
  name = "archive",
): { objects: Objects; config: ReturnType<typeof readConfig> } {
  if (kind === "folder") {
    const config = readConfig({});
    return { objects: openObjects(join(cleanups.folder(), name), config), config };
  }
  const s3 = startS3();
  cleanups.add(s3.stop);
  const config = readConfig({
    S3_ENDPOINT: s3.endpoint,
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  });
  return { objects: openObjects(`s3://${s3.bucket}/${name}`, config), config };
}

const now = new Date("2026-11-22T12:00:00Z");
const segment = (number: number) => `0000000100000000${number.toString(16).toUpperCase().padStart(8, "0")}`;

async function putWal(objects: Objects, number: number, at: Date): Promise<void> {
  const path = join(cleanups.folder(), "segment");
  writeFileSync(path, `segment ${number}`);
  utimesSync(path, at, at);
  await keepWal(objects, { path, name: segment(number) });
}

async function putBase(objects: Objects, day: string, from: number): Promise<string> {
  const name = `${day}T03-00-00-000Z`;
  const base: Base = {
    name,
    startedAt: `${day}T03:00:00.000Z`,
    endedAt: `${day}T03:01:00.000Z`,
    release: "1.0.0",
    version: "18",
    platform: `${process.platform}-${process.arch}`,
    startWal: segment(from),
    stopWal: segment(from + 1),
    label: "",
    parts: 1,
    bytes: 10,
  };
  await objects.put(baseObject(name, 1), await seal(baseObject(name, 1), new Uint8Array(10), now));
  const object = baseObject(name, "base.json");
  await objects.put(object, await seal(object, new TextEncoder().encode(JSON.stringify(base)), now));
  return name;
}

describe.each(["folder", "bucket"] as const)("an archive in a %s", (kind) => {
  test("an archive returns a stored file, and rejects another file with its name", async () => {
    const { objects } = open(kind);
    const folder = cleanups.folder();
    const [path, back] = [join(folder, "from"), join(folder, "back")];
    const name = "0000000100000000000000FF";
    writeFileSync(path, "what was written");
    await keepWal(objects, { path, name });
    await keepWal(objects, { path, name });

    expect(await fetchWal(objects, { name, path: back })).toBe(true);
    expect(readFileSync(back, "utf8")).toBe("what was written");
    expect(await fetchWal(objects, { name: nextSegment(name), path: join(folder, "none") })).toBe(false);
    expect(existsSync(join(folder, "none"))).toBe(false);

    writeFileSync(path, "of another database");
    await expect(keepWal(objects, { path, name })).rejects.toThrow(`The archive already contains another wal/${name}`);
    // An incomplete copy is written again, even if its first line is intact.
    writeFileSync(path, "what was written");
    const whole = (await objects.get(`wal/${name}`)) ?? new Uint8Array();
    for (const damaged of [new Uint8Array(5), whole.subarray(0, -3), whole.subarray(0, whole.indexOf(0x0a) + 1)]) {
      await objects.put(`wal/${name}`, damaged);
      await expect(fetchWal(objects, { name, path: back })).rejects.toThrow(
        `wal/${name} in the archive is truncated or was changed`,
      );
      await keepWal(objects, { path, name });
      expect(await fetchWal(objects, { name, path: back })).toBe(true);
    }
  });

  test("an archive keeps every file needed for a restore", async () => {
    const { objects } = open(kind);
    for (let number = 1; number <= 9; number++)
      await putWal(objects, number, new Date(now.getTime() - (9 - number) * 3_600_000));
    const [oldest, old, young] = [
      await putBase(objects, "2026-11-01", 1),
      await putBase(objects, "2026-11-14", 4),
      await putBase(objects, "2026-11-20", 7),
    ];
    const object = "bases/2026-10-01T03-00-00-000Z/000001.tar";
    await objects.put(object, await seal(object, new Uint8Array(1), now));
    const outdated = async (keepDays: number) => await outdatedObjects(await readTree("", objects), { keepDays, now });
    const wal = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => `wal/${segment(from + index)}`);
    const files = (name: string) => [baseObject(name, "base.json"), baseObject(name, 1)];

    expect(await outdated(60)).toEqual([object]);
    expect(await outdated(7)).toEqual([files(oldest)[0] ?? "", object, files(oldest)[1] ?? "", ...wal(1, 4)]);
    // There are base copies of the 14th and the 20th. The younger copy is enough to restore to noon of the 20th.
    expect((await outdated(2)).filter((name) => name.startsWith("wal/"))).toEqual(wal(1, 7));
    expect(await outdated(1)).not.toContain(files(young)[0]);
    expect((await outdated(1)).filter((name) => name.endsWith("base.json"))).toEqual(
      [oldest, old].map((name) => files(name)[0] ?? ""),
    );
  });

  test("a restore chooses the database whose log reaches the requested time", async () => {
    const { objects, config } = open(kind);
    const part = (id: string) => openObjects(`${objects.place}/${id}`, config);
    for (const number of [1, 2, 3, 5]) await putWal(part("one"), number, new Date("2026-11-21T00:00:00Z"));
    await putBase(part("one"), "2026-11-20", 1);
    for (const number of [1, 2]) await putWal(part("two"), number, now);
    await putBase(part("two"), "2026-11-21", 1);
    await putBase(part("two"), "2026-11-22", 9);
    const trees = await readCatalog(objects.place, config);
    const at = (time: string) => chooseRange(trees, { place: objects.place, time: new Date(time) }).tree.id;

    expect(
      trees.map(({ id, ranges }) => [id, ranges.map(({ hasGap, until }) => [hasGap, until !== undefined])]),
    ).toEqual([
      ["one", [[true, true]]],
      [
        "two",
        [
          [false, true],
          [false, false],
        ],
      ],
    ]);
    expect(at("2026-11-20T12:00:00Z")).toBe("one");
    // The segments are archived now, but later writes are in segments that were not archived.
    expect(trees[1]?.ranges[0]?.until).toEqual(now);
    expect(at("2026-11-22T11:00:00Z")).toBe("two");
    expect(at("2026-11-22T12:00:00.000Z")).toBe("two");
    expect(() => at("2026-11-22T12:00:00.001Z")).toThrow("does not reach to 2026-11-22T12:00:00.001Z");
    expect(() => at("2026-11-21T01:00:00Z")).toThrow(`(the file after wal/${segment(3)} is missing)`);
    expect(() => chooseRange(trees, { place: objects.place, time: undefined })).toThrow(
      `Several databases were archived to ${objects.place}: choose one of ${objects.place}/one, ${objects.place}/two.`,
    );
    expect((await readCatalog(`${objects.place}/two`, config)).map(({ id }) => id)).toEqual(["two"]);
  });
});

test("the next WAL segment is named as in PostgreSQL", () => {
  expect(nextSegment("000000010000000000000001")).toBe("000000010000000000000002");
  expect(nextSegment("0000000A00000001000000FF")).toBe("0000000A0000000200000000");
});
