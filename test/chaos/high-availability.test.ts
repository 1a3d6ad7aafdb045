import { expect, test } from "bun:test";
import { isLong, sizeOf } from "../support/campaigns.ts";
import { readText } from "../support/tidy/project.ts";
import { kill, otherCases } from "./high-availability/cases.ts";
import { machinesAreMissing } from "./high-availability/machines.ts";
import { runCases } from "./high-availability/run-cases.ts";
import { tableOf } from "./high-availability/table.ts";

const missing = isLong ? machinesAreMissing() : "it takes a quarter of an hour: npm run test:long -- high-availability";
if (missing !== undefined) process.stdout.write(`High availability is NOT tested here: ${missing}\n`);

const kills = sizeOf({ short: 0, long: 10, variable: "PARLEY_KILLS" });

test("the Patroni files require a standby at each commit", () => {
  const patroni = Bun.YAML.parse(readText("deploy/patroni/patroni.yml"));
  const servers = [1, 2, 3].map((number) =>
    readText(`deploy/patroni/db${number}.env`)
      .replaceAll(
        new RegExp(`(?<=_(?:NAME|URLS|LISTEN|ADDRESS)=(?:http://)?(?:198\\.51\\.100\\.1|db))${number}`, "g"),
        "N",
      )
      .split("\n"),
  );

  expect(patroni).toMatchObject({ bootstrap: { dcs: { synchronous_mode: true, synchronous_mode_strict: true } } });
  expect(patroni).toHaveProperty("etcd");
  expect(patroni).not.toHaveProperty("etcd3");
  expect(servers[1]).toEqual(servers[0]);
  expect(servers[2]).toEqual(servers[0]);
});

test.skipIf(missing !== undefined)(
  "with three servers under Patroni, neither a switchover nor a failed server loses or duplicates acknowledged data",
  async () => {
    const report = await runCases([...Array.from({ length: kills }, () => kill), ...otherCases], { seed: 1 });

    process.stdout.write(tableOf(report));
    expect(report.problems.slice(0, 20)).toEqual([]);
    expect(report.cases.flatMap(({ differences }) => differences)).toEqual([]);
    expect(report.cases.filter(({ acknowledged }) => acknowledged === 0)).toEqual([]);
    expect(report.cases).toHaveLength(kills + otherCases.length);
  },
  3_600_000,
);
