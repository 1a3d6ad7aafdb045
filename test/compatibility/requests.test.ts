import { expect, test } from "bun:test";
import { resultsQueryFor } from "../../src/compatibility/requests.ts";

test("the cursor 0 is the first page for existing clients", () => {
  expect(resultsQueryFor("typebot", { cursor: "0" })).toEqual({ isStartedOnly: true });
  expect(resultsQueryFor("bot", { cursor: "0" })).toEqual({ cursor: "0", isStartedOnly: false });
});
