import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { createTestDatabase } from "../support/database.ts";
import { cleanupStack, endService, startService } from "../support/service.ts";

const cleanups = cleanupStack();
afterEach(cleanups.run);

/**
 * The packages that every start imports. Each of their files costs about 0.15 ms of processor time. Import a package
 * dynamically if not every installation needs it immediately. Otherwise add it to this list.
 */
const packagesOfAStart = [
  "@bomb.sh/tab",
  "@bull-board/ui",
  "@cfworker/json-schema",
  "@jitl/quickjs-ng-wasmfile-release-sync",
  "@sinclair/typebox",
  "canonicalize",
  "character-entities",
  "commander",
  "cookie",
  "cron-parser",
  "decode-named-character-reference",
  "elysia",
  "exact-mirror",
  "fast-decode-uri-component",
  "ipaddr.js",
  "lru-cache",
  "luxon",
  "memoirist",
  "modern-tar",
  "non-error",
  "pg",
  "pg-*",
  "postgres",
  "postgres-*",
  "preact",
  "preact-render-to-string",
  "prom-client",
  "rrule-temporal",
  "serialize-error",
  "swagger-ui-dist",
  "validator",
  "xtend",
];

test("a start loads exactly the listed packages", async () => {
  const database = await createTestDatabase();
  cleanups.add(database.close);
  const program = join(import.meta.dir, "../support/loaded-modules.ts");
  const service = await startService({
    command: [process.execPath, program],
    environment: {
      DATABASE_URL: database.url,
      DATA_DIR: cleanups.folder(),
      ADMIN_TOKEN: "an administrator's token",
      SMTP_URL: "smtp://bots%40example.com:secret@127.0.0.1:9",
    },
  });
  cleanups.add(() => endService(service));
  service.signal("SIGTERM");
  await service.exited;

  const packages = service
    .stdout()
    .split("\n")
    .flatMap((line) => /^loaded .*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(line)?.[1] ?? []);
  const families = packages.map((name) => name.replace(/^(mdast-util|micromark|pg|postgres)-.*/, "$1-*"));
  expect([...new Set(families)].sort()).toEqual(packagesOfAStart);
});
