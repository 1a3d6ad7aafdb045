import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chownSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { billOfMaterials } from "../../src/build/supply/bill.ts";
import { readComponents } from "../../src/build/supply/components.ts";
import { boardFiles } from "../../src/service/board/files.ts";
import { buildBinary, greeterTalk } from "../support/binary.ts";
import { isLong } from "../support/campaigns.ts";
import { createEmptyDatabase } from "../support/database.ts";
import { longTest } from "../support/long-test.ts";
import {
  cleanupStack,
  endService,
  lastMessage,
  runCommand,
  type Service,
  type ServiceOptions,
  startService,
} from "../support/service.ts";
import { mountDisk, smallDiskIsMissing } from "../support/small-disk.ts";

// Building the binary can occupy one core for several minutes on a slow machine.
setDefaultTimeout(600_000);

const root = join(import.meta.dir, "../..");
const token = "the operator's own token";
const cleanups = cleanupStack();
const database = await createEmptyDatabase();
let binary: string;
let report: string;

beforeAll(async () => {
  const built = await buildBinary();
  cleanups.add(built.remove);
  cleanups.add(database.close);
  ({ path: binary, report } = built);
});
afterAll(cleanups.run);

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
/** Each start runs in an empty folder, so that the binary creates all its files. */
const ways: readonly { way: string; options(): ServiceOptions }[] = [
  {
    way: isRoot ? "as root, with its own database" : "with its own database",
    options: () => ({ command: [binary], cwd: cleanups.folder() }),
  },
  ...(isRoot ? [{ way: "as nobody, with its own database", options: asNobody }] : []),
  {
    way: "with DATABASE_URL, as two processes",
    options: () => ({
      command: [binary],
      cwd: cleanups.folder(),
      environment: { DATABASE_URL: database.url, PROCESSES: "2", WORKER_THREADS: "2" },
    }),
  },
];

function asNobody(): ServiceOptions {
  const cwd = cleanups.folder();
  chownSync(cwd, nobody, nobody);
  const become = ["setpriv", "--reuid", String(nobody), "--regid", String(nobody), "--clear-groups", "--"];
  return { command: [...become, binary], cwd };
}

describe.each(isLong ? ways : ways.slice(0, 1))("the binary $way", ({ options }) => {
  let service: Service;
  let settings: ServiceOptions;
  const talk = greeterTalk(() => service, token);
  const get = async (path: string) =>
    await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${token}` } });

  beforeAll(async () => {
    const given = options();
    settings = { ...given, environment: { ...given.environment, ADMIN_TOKEN: token } };
    service = await startService(settings);
  });
  afterAll(() => endService(service));

  test("the binary continues a conversation after it is killed and restarted", async () => {
    const sessionId = await talk.start(await talk.publish());
    service.signal("SIGKILL");
    // The service keeps its folder locked until it exits.
    await service.exited;
    service = await startService(settings);

    expect(await talk.answer(sessionId, "Ada")).toEqual(["Hello A-D-A"]);
  });

  test("the binary starts the configured number of processes", async () => {
    const metrics = await (await get("/metrics")).text();

    const processes = settings.environment?.["PROCESSES"];
    if (processes === undefined) expect(metrics).not.toContain("\nparley_processes ");
    else expect(metrics).toContain(`\nparley_processes ${processes}\n`);
  });

  test("the binary renders a chat page and serves the files that the page loads", async () => {
    const page = await (await get(`/${await talk.publish()}`)).text();

    expect(page).toContain('name="text"');
    const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? "");
    expect(page).toContain(".typebot-host-bubble{");
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect((await get(file)).status).toBe(200);
  });

  test("the binary serves the builder and its files at a separate port", async () => {
    const app = /Builder: (http:\S+\/app)/.exec(service.stdout())?.[1] ?? "none";
    const page = await (await fetch(app)).text();

    const files = [...page.matchAll(/(?:src|href)="(\/assets\/app\/[^"]+)"/g)].map(([, path]) => path ?? "");
    expect(files.length).toBeGreaterThanOrEqual(3);
    for (const file of files) expect((await fetch(new URL(file, app))).status).toBe(200);
  });

  test("the binary serves the documentation and the files that its page loads", async () => {
    const page = await get("/docs");
    expect(page.status).toBe(200);

    const files = [...(await page.text()).matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? "");

    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const response = await get(file);
      expect({ file, status: response.status }).toEqual({ file, status: 200 });
      expect((await response.text()).length).toBeGreaterThan(0);
    }
  });

  test("the binary serves the job board and all of its files", async () => {
    const page = await (await get("/admin/queues")).text();
    const list = await get("/admin/queues/api/queues");

    expect(await list.text()).toContain("email-dead");
    const files = [...boardFiles].map(([path, file]) => ({ path: `/admin/queues/${path}`, size: Bun.file(file).size }));
    expect(files.length).toBeGreaterThan(100);
    expect(page).toContain("/assets/board/start.js");
    for (const { path, size } of files) {
      const response = await get(path);
      expect({ path, status: response.status }).toEqual({ path, status: 200 });
      expect({ path, size: (await response.bytes()).byteLength }).toEqual({ path, size });
    }
  });
});

test("the binary does not contain the path of the source tree", () => {
  const content = readFileSync(binary);

  for (const path of [root, "parley-build-"])
    expect({ path, isThere: content.includes(path) }).toEqual({ path, isThere: false });
});

// The release workflow also builds each binary twice.
test.if(isLong)(
  "two builds of the same source tree have the same binary and bill of materials, byte for byte",
  async () => {
    const folder = cleanups.folder();
    const again = await buildBinary({ cwd: folder, environment: { TMPDIR: folder, TZ: "Asia/Tokyo" } });
    cleanups.add(again.remove);

    expect(readFileSync(again.path).equals(readFileSync(binary))).toBe(true);
    expect(readFileSync(`${again.path}.cdx.json`, "utf8")).toBe(readFileSync(`${binary}.cdx.json`, "utf8"));
  },
);

test("the documented size of the binary is accurate to two megabytes", () => {
  const text = readFileSync(join(root, "docs/deployment.md"), "utf8").replaceAll(/\s+/g, " ");
  const named = /(\d+) MB: (\d+) MB for Bun, (\d+) MB for PostgreSQL, and (\d+) MB for the service/.exec(text);
  const [, postgres] = /([\d.]+) MB {2}PostgreSQL for /.exec(report) ?? [];
  const [whole, bun] = [binary, process.execPath].map((path) => Bun.file(path).size / 1_000_000);
  const weights = [whole, bun, postgres].map(Number);
  const [all = 0, ...parts] = weights;
  const service = parts.reduce((rest, part) => rest - part, all);

  // Each release adds a few hundred kilobytes, so the documented sizes may differ by two megabytes.
  for (const [index, weight] of [...weights, service].entries())
    expect(Math.abs(Number(named?.[index + 1]) - weight)).toBeLessThanOrEqual(2);
});

test("the binary prints the same licences as the source tree", async () => {
  const command = [binary];
  const cwd = cleanups.folder();
  const platform = `${process.platform}-${process.arch}`;

  expect(await runCommand(["licences"], { command, cwd })).toEqual(await runCommand(["licences"]));
  expect(readFileSync(`${binary}.cdx.json`, "utf8")).toBe(
    billOfMaterials(readComponents({ modules: join(root, "node_modules"), platform }), platform),
  );
});

describe("the binary", () => {
  async function startOnce(cwd: string): Promise<string> {
    await endService(await startService({ command: [binary], cwd }));
    const programs = join(cwd, ".data/postgres-programs");
    expect(readdirSync(programs)).toHaveLength(1);
    return join(programs, readdirSync(programs)[0] ?? "");
  }

  longTest("the binary unpacks PostgreSQL again only if a file has changed", async () => {
    const cwd = cleanups.folder();
    const folder = await startOnce(cwd);
    const program = join(folder, "bin/postgres");
    const whole = readFileSync(program);
    writeFileSync(join(folder, "left-alone"), "");

    expect(await startOnce(cwd)).toBe(folder);
    expect(readdirSync(folder)).toContain("left-alone");

    const changed = Buffer.from(whole);
    changed.writeUInt8(changed.readUInt8(5_000_000) ^ 1, 5_000_000);
    writeFileSync(program, changed);
    expect(await startOnce(cwd)).toBe(folder);
    expect(readFileSync(program).equals(whole)).toBe(true);
    expect(readdirSync(folder)).not.toContain("left-alone");
  });

  test.skipIf(smallDiskIsMissing() !== undefined)(
    "the binary reports in one message why PostgreSQL cannot be unpacked",
    async () => {
      const disk = mountDisk({ megabytes: 20 });
      cleanups.add(disk.remove);

      const full = await runCommand(["serve"], {
        command: [binary],
        cwd: cleanups.folder(),
        environment: { DATA_DIR: disk.path },
      });

      expect(full.exitCode).toBe(1);
      expect(lastMessage(full)).toMatch(
        /^The embedded PostgreSQL cannot be unpacked: ENOSPC.*\. Make \S+\/postgres-programs writable, with \d+ MB of free space, or set DATABASE_URL\.$/,
      );
    },
  );
});
