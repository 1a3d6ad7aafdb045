import { expect, test } from "bun:test";
import { backupName, type Keeping, outdatedBackups } from "../../../src/platform/backup/place.ts";

test("backups are removed only if they exceed every given limit of count and age", () => {
  const days = ["2026-11-01", "2026-11-10", "2026-11-20", "2026-11-22"];
  const names = days.map((day) => backupName(new Date(`${day}T03:04:05Z`)));
  const now = new Date("2026-11-22T12:00:00Z");
  const removed = (keeping: Keeping, among: readonly string[] = [...names, "parley.tar", "encryption-key"]) =>
    outdatedBackups(among, keeping, now).map((name) => names.indexOf(name));

  expect(names[0]).toBe("parley-2026-11-01T03-04-05Z.tar");
  expect(removed({})).toEqual([]);
  expect(removed({ count: 2 })).toEqual([0, 1]);
  expect(removed({ days: 7 })).toEqual([0, 1]);
  expect(removed({ days: 1, count: 3 })).toEqual([0]);
  expect(removed({ days: 15, count: 1 })).toEqual([0]);
  expect(removed({ days: 1 }, names.slice(0, 1))).toEqual([]);
});
