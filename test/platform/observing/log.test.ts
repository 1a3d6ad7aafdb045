import { afterEach, expect, spyOn, test } from "bun:test";
import { createLog } from "../../../src/platform/observing/log.ts";

const standardError = spyOn(process.stderr, "write");
afterEach(() => standardError.mockRestore());

test("an error is logged without personal text", () => {
  const lines: unknown[] = [];
  standardError.mockImplementation((text) => lines.push(text) > 0);
  const failure = Object.assign(new Error("duplicate key"), {
    ...{ code: "23505", severity: "ERROR", routine: "_bt_check_unique" },
    ...{ table_name: "users", constraint_name: "users_email_key" },
    ...{ detail: "Key (email)=(ana@example.com) already exists.", where: "JSON data: ana@example.com" },
  });

  createLog("error").error("a request failed", { cause: new Error("outer", { cause: failure }) });

  const [line] = lines;
  expect(JSON.parse(String(line))).toMatchObject({
    level: "error",
    message: "a request failed",
    cause: {
      message: "outer",
      cause: {
        ...{ message: "duplicate key", code: "23505", severity: "ERROR", routine: "_bt_check_unique" },
        ...{ table_name: "users", constraint_name: "users_email_key" },
        stack: expect.stringContaining("log.test.ts"),
      },
    },
  });
  expect(line).not.toContain("ana@example.com");
});
