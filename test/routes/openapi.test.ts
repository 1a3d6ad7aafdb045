import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import SwaggerParser from "@apidevtools/swagger-parser";
import { makeDocument } from "../../src/routes/openapi-document.ts";
import { operations } from "../../src/routes/operations.ts";
import { valueAt } from "../support/client.ts";
import { temporaryFolder } from "../support/folder.ts";

const folder = temporaryFolder();
let document: object;

beforeAll(async () => {
  document = await makeDocument(operations, {
    PUBLIC_URL: "https://bots.parley.dev",
    CHAT_URL: "https://chat.parley.dev",
  });
});
afterAll(() => folder.remove());

describe("the document", () => {
  test("is clean for Redocly, whose recommendations count as errors", async () => {
    const file = join(folder.path, "openapi.json");
    await Bun.write(file, JSON.stringify(document));
    const program = join(import.meta.dir, "../../node_modules/@redocly/cli/bin/cli.js");
    const linter = Bun.spawn(
      [process.execPath, program, "lint", file, "--extends=recommended-strict", "--format=json", "--max-problems=1000"],
      {
        cwd: folder.path,
        env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    const [report, said] = await Promise.all([linter.stdout.text(), linter.stderr.text()]);
    const problems: unknown = report.startsWith("{") ? valueAt(JSON.parse(report), "problems") : said;
    const told = Array.isArray(problems)
      ? problems.map(
          (one) => `${valueAt(one, "ruleId")} ${valueAt(one, "location.0.pointer")}: ${valueAt(one, "message")}`,
        )
      : problems;
    expect(told).toEqual([]);
    expect(await linter.exited).toBe(0);
  });

  test("is valid for Swagger's parser", async () => {
    // It replaces references in what it is given.
    const valid = await SwaggerParser.validate(JSON.parse(JSON.stringify(document)));
    expect(valueAt(valid, "info.title")).toBe("Parley API");
  });
});
