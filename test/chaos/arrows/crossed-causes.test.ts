import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { serviceAccount } from "../../fake-providers/google/accounts.ts";
import { type FakeGoogle, startFakeGoogle } from "../../fake-providers/google/server.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, say, says, start } from "../../support/chat.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { waitFor } from "../../support/wait.ts";
import { type ArrowWorld, createArrowWorld, insist } from "./arrow-world.ts";

setDefaultTimeout(90_000);

let google: FakeGoogle;
let world: ArrowWorld;

beforeAll(async () => {
  google = await startFakeGoogle();
  world = await createArrowWorld({ fakes: [google], holds: {} });
});
afterAll(async () => {
  await world.close();
  await google.close();
});

test("a sheet row is written once if a node dies during a time-out", async () => {
  const { dying, sql } = world;
  const spreadsheetId = google.sheets.make({ rows: [["Name"]], sharedWith: [serviceAccount.clientEmail] });
  const row = {
    id: "row",
    type: "Google Sheets",
    options: {
      credentialsId: await world.makeCredentials("google sheets", serviceAccount),
      ...{ spreadsheetId, sheetId: "0", action: "Insert a row" },
      cellsToInsert: [{ id: "c", column: "Name", value: "{{Name}}" }],
    },
  };
  // The chat writes the same row whether or not the question was answered.
  const { publicId } = await world.publish(
    flowOf(
      [
        asks("text input", { variableId: idOf("Name") }),
        asks("number input", { timeout: { after: 40, outgoingEdgeId: idOf("e1") } }, { outgoingEdgeId: idOf("e1") }),
      ],
      [row, says("{{Name}} is done"), asks("url input")],
    ),
  );
  const sessionId = (await start(dying.client, publicId)).text("sessionId");
  await say(dying.client, sessionId, "Ana");
  let isMade = false;
  google.fail("hang", {
    of({ path }) {
      isMade ||= path.endsWith(":append");
      return path.endsWith(":append");
    },
    isDone: true,
  });
  await moveClock(sql, 60);
  await waitFor(() => isMade);
  await dying.kill();
  // Make the lease of the timed step outlive the claim of its chat.
  await sql`update due_steps set held_until = clock() + interval '1 hour'`;
  const { client } = await world.succeed({ seconds: 60 });

  const answer = await insist(client, { sessionId, message: "7", key: "answer-of-the-visitor" });

  expect(answer.at("messages.*.content.plainText")).toEqual(["Ana is done"]);
  expect(google.sheets.rowsOf(spreadsheetId)).toEqual([["Name"], ["Ana"]]);
});
