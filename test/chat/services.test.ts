import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { silence, startFakeElevenlabs } from "../fake-providers/elevenlabs.ts";
import { type FakeProvider, type Fault, faults } from "../fake-providers/kit.ts";
import { type FakeNocodb, startFakeNocodb } from "../fake-providers/nocodb.ts";
import { idOf } from "../support/builder-ids.ts";
import { createServiceChats, plantedServiceKey, type ServiceChats } from "../support/service-chats.ts";

let nocodb: FakeNocodb;
let elevenlabs: FakeProvider;
let voice: { readonly credentialsId: string };
let chats: ServiceChats;
let table: { readonly credentialsId: string; readonly tableId: string };

beforeAll(async () => {
  nocodb = await startFakeNocodb();
  elevenlabs = await startFakeElevenlabs();
  chats = await createServiceChats([nocodb, elevenlabs]);
  voice = { credentialsId: await chats.makeCredentials("elevenlabs") };
  table = { credentialsId: await chats.makeCredentials("nocodb"), tableId: "table" };
});
afterAll(async () => {
  await chats.close();
  await nocodb.close();
  await elevenlabs.close();
});
beforeEach(() => {
  nocodb.tables.set("table", [
    { Id: 1, Name: "Ana", City: "Lyon", Age: 31 },
    { Id: 2, Name: "Bob", City: "Rome", Age: 40 },
    { Id: 3, Name: "Ana", City: "Oslo", Age: null },
  ]);
});
afterEach(() => {
  nocodb.recover();
  elevenlabs.recover();
});

const variable = idOf("Email");
/** Creates a workspace of the same owner. */
const elsewhere = () => chats.api.makeWorkspace(chats.owner);
const search = (options: object = {}) =>
  chats.talk({
    type: "nocodb",
    options: {
      ...{ action: "Search Records", ...table },
      responseMapping: [{ fieldName: "City", variableId: variable }],
      ...options,
    },
  });
const named = (value = "{{Name}}", operator = "Equal to") => ({
  filter: { joiner: "AND", comparisons: [{ input: "Name", operator, value }] },
});

describe("NocoDB: Search Records", () => {
  test("Search Records of NocoDB stores the matching values", async () => {
    expect((await search(named())).texts).toEqual(['Went on: ["Lyon","Oslo"]']);
    expect(nocodb.asked.at(-1)?.query.get("where")).toBe("(Name,eq,Ana)");
    expect((await search(named("Ana", "Not equal"))).texts).toEqual(["Went on: Rome"]);
    expect(nocodb.asked.at(-1)?.query.get("where")).toBeNull();
  });

  test.each([
    ["First", "Lyon"],
    ["Last", "Oslo"],
    ["All", '["Lyon","Oslo"]'],
    ["Nonsense", '["Lyon","Oslo"]'],
  ])("Search Records of NocoDB stores matching records according to the return type %s", async (returnType, cities) => {
    expect((await search({ ...named(), returnType })).texts).toEqual([`Went on: ${cities}`]);
  });

  test("Search Records of NocoDB stores one random matching record", async () => {
    expect(["Lyon", "Oslo"].map((city) => `Went on: ${city}`)).toContain(
      String((await search({ ...named(), returnType: "Random" })).texts),
    );
  });

  test.each(["Ana),(City,eq,Oslo", "A,na", "a~orb", '"Ana"', "\\", "true", "2026-11-24"])(
    "Search Records of NocoDB keeps the value %j out of the filter that is sent to the server",
    async (value) => {
      const { texts } = await search(named(value));
      expect(texts).toEqual(["Went on: "]);
      expect(nocodb.asked.at(-1)?.query.get("where")).toBeNull();
    },
  );

  test("a chat continues if Search Records finds no record in NocoDB", async () => {
    const { texts, logs } = await search(named("Zoe"));
    expect(texts).toEqual(["Went on: "]);
    expect(logs).toMatchObject([{ status: "info", description: "Couldn't find any records matching the filter" }]);
  });

  test("Search Records of NocoDB reads at most ten pages of records", async () => {
    nocodb.tables.set(
      "table",
      Array.from({ length: 10_001 }, (_, index) => ({
        Id: index,
        Name: index % 4_000 ? "Bob" : "Ana",
        City: `${index}`,
      })),
    );
    const before = nocodb.asked.length;
    const { texts, logs } = await search({
      filter: { comparisons: [{ input: "Name", operator: "Starts with", value: "An" }] },
    });
    expect(texts).toEqual(['Went on: ["0","4000","8000"]']);
    expect(nocodb.asked.length - before).toBe(10);
    expect(logs.map(({ description }) => description)).toEqual([
      "The NocoDB table has more records, but only the first 10000 were read",
    ]);
  });

  test("Search Records of NocoDB reports the name of a missing field", async () => {
    const { texts, logs } = await search({ responseMapping: [{ fieldName: "Town", variableId: variable }] });
    expect(texts).toEqual(["Went on: "]);
    expect(logs).toMatchObject([{ status: "error", description: 'The NocoDB records have no field "Town"' }]);
  });

  const sentences: Record<Fault, string> = {
    "401": "NocoDB rejected the request",
    "403": "NocoDB rejected the request",
    "404": "NocoDB rejected the request",
    "429": "NocoDB rejected the request",
    "500": "NocoDB rejected the request",
    "503": "NocoDB rejected the request",
    hang: "NocoDB took too long",
    malformed: "The response of NocoDB cannot be read",
    html: "The response of NocoDB cannot be read",
    cut: "NocoDB cannot be reached",
  };
  test.each(faults.filter((fault) => fault !== "hang"))(
    "Search Records of NocoDB follows the failure edge after the fault %s, logs one entry, and reveals no key",
    async (fault) => {
      nocodb.fail(fault, { times: 3 });
      const { texts, logs, everything } = await search(named());
      expect(texts).toEqual(["Failed: "]);
      expect(logs).toMatchObject([{ status: "error", description: sentences[fault] }]);
      if (/^\d/.test(fault)) expect(logs[0]?.details).toContain(`status ${fault}: Refused with ${fault}`);
      expect(everything).not.toContain(plantedServiceKey);
    },
  );

  test("Search Records of NocoDB sends no request without credentials or a table", async () => {
    const before = nocodb.asked.length;
    const none = await search({ credentialsId: undefined });
    const strange = await search({ credentialsId: idOf("strange") });
    const foreign = await search({
      credentialsId: await chats.makeCredentials("nocodb", undefined, await elsewhere()),
    });
    const tableless = await search({ tableId: " " });
    for (const { texts, logs } of [none, strange, foreign, tableless]) {
      expect(texts).toEqual(["Failed: "]);
      expect(logs).toHaveLength(1);
    }
    expect(none.logs[0]?.description).toBe("Could not find credentials for block nocodb");
    expect(strange.logs[0]?.description).toBe("Could not find credentials for block nocodb");
    expect(foreign.logs[0]?.description).toBe("Could not find credentials for block nocodb");
    expect(tableless.logs[0]?.description).toBe("No NocoDB table is chosen");
    expect(nocodb.asked.length).toBe(before);
  });

  test("Search Records of NocoDB logs the error message for a missing table", async () => {
    const { texts, logs } = await search({ tableId: "../../meta" });
    expect(texts).toEqual(["Failed: "]);
    expect(logs[0]?.details).toStartWith("status 404: Table");
  });
});

describe("NocoDB: records", () => {
  test("records of NocoDB are created from the flow's values, without empty fields", async () => {
    const fields = [
      { key: "Name", value: "{{Name}}" },
      { key: "City", value: "{{Age}}" },
    ];
    const { texts } = await chats.talk({ type: "nocodb", options: { action: "Create Record", ...table, fields } });
    expect(texts).toEqual(["Went on: "]);
    expect(nocodb.tables.get("table")?.at(-1)).toEqual({ Id: 4, Name: "Ana" });
  });

  test("records of NocoDB are not created twice if no response arrives", async () => {
    nocodb.fail("cut");
    const before = nocodb.asked.length;
    const fields = [{ key: "Name", value: "Ana" }];
    const { texts } = await chats.talk({ type: "nocodb", options: { action: "Create Record", ...table, fields } });
    expect(texts).toEqual(["Failed: "]);
    expect(nocodb.asked.length - before).toBe(1);
  });

  test("matching records of NocoDB are updated, a hundred per request", async () => {
    nocodb.tables.set(
      "table",
      Array.from({ length: 150 }, (_, index) => ({ Id: index + 1, Name: "Ana", City: "Lyon" })),
    );
    const updates = [{ fieldName: "City", value: "Oslo" }];
    const options = { action: "Update Existing Record", ...table, ...named(), updates };
    expect((await chats.talk({ type: "nocodb", options })).texts).toEqual(["Went on: "]);
    expect(nocodb.tables.get("table")?.every(({ City }) => City === "Oslo")).toBe(true);
    expect(nocodb.asked.slice(-2).map(({ method, text }) => [method, JSON.parse(text).length])).toEqual([
      ["PATCH", 100],
      ["PATCH", 50],
    ]);
  });

  test("records of NocoDB are not updated without a filter", async () => {
    nocodb.tables.set("table", [{ Id: 1, Name: "Ana", City: "Lyon" }]);
    const before = nocodb.asked.length;
    const updates = [{ fieldName: "City", value: "Oslo" }];
    const comparisons = [{ input: " ", operator: "Equal to", value: "Ana" }];
    for (const filter of [undefined, {}, { comparisons: [] }, { joiner: "OR", comparisons }]) {
      const options = { action: "Update Existing Record", ...table, ...(filter && { filter }), updates };
      const { texts, logs } = await chats.talk({ type: "nocodb", options });
      expect(texts).toEqual(["Failed: "]);
      expect(logs).toMatchObject([{ status: "error", description: "The NocoDB update requires a filter" }]);
    }
    expect(nocodb.asked.length).toBe(before);
    expect(nocodb.tables.get("table")).toEqual([{ Id: 1, Name: "Ana", City: "Lyon" }]);
  });

  test("an update of NocoDB records continues with a log entry if no record matches", async () => {
    const options = {
      action: "Update Existing Record",
      ...table,
      ...named("Zoe"),
      updates: [{ fieldName: "City", value: "Oslo" }],
    };
    const { texts, logs } = await chats.talk({ type: "nocodb", options });
    expect(texts).toEqual(["Went on: "]);
    expect(logs).toMatchObject([{ status: "info", description: "Couldn't find any records matching the filter" }]);
  });
});

async function fileAt(texts: unknown): Promise<Uint8Array> {
  const [, address = ""] = /^Went on: (http.*)$/.exec(String(texts)) ?? [];
  const response = await chats.api.handle(new Request(address));
  expect(response.status).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
}

describe("ElevenLabs: Convert text to speech", () => {
  const speak = (options: object = {}) =>
    chats.talk({
      type: "elevenlabs",
      options: {
        ...{ action: "Convert text to speech", ...voice, text: "Hello {{Name}}", voiceId: "voice1" },
        ...{ saveUrlInVariableId: variable, ...options },
      },
    });

  test("Convert text to speech of ElevenLabs stores the recording as a file", async () => {
    const { texts, logs } = await speak();
    expect(await fileAt(texts)).toEqual(silence);
    expect(logs).toEqual([]);
    expect(elevenlabs.asked.at(-1)).toMatchObject({
      path: "/v1/text-to-speech/voice1",
      headers: { "xi-api-key": plantedServiceKey },
      json: { text: "Hello Ana", model_id: "eleven_multilingual_v2" },
    });
  });

  test("Convert text to speech of ElevenLabs logs the name of an unknown voice", async () => {
    const { logs } = await speak({ voiceId: "voice9" });

    expect(logs).toMatchObject([
      {
        status: "error",
        description: "ElevenLabs does not have this voice",
        details: "status 404: A voice with the voice_id voice9 was not found.",
      },
    ]);
  });

  test.each<readonly [Fault, string]>([
    ["401", "The provider rejected the key"],
    ["403", "The provider rejected the key"],
    ["404", "ElevenLabs does not have this voice"],
    ["429", "The provider received too many requests from this account"],
    ["500", "The provider is overloaded or not available"],
    ["malformed", "The provider's response cannot be read"],
    ["html", "The provider's response cannot be read"],
    ["cut", "The provider cannot be reached"],
  ])(
    "Convert text to speech of ElevenLabs follows the failure edge after the fault %s, logs one entry, and reveals no key",
    async (fault, sentence) => {
      elevenlabs.fail(fault, { times: 3 });
      const { texts, logs, everything } = await speak();
      expect(texts).toEqual(["Failed: "]);
      expect(logs).toMatchObject([{ status: "error", description: sentence }]);
      expect(everything).not.toContain(plantedServiceKey);
    },
  );

  test("Convert text to speech of ElevenLabs fails if the account lacks the voice", async () => {
    const { texts, logs } = await speak({ voiceId: "voice2" });
    expect(texts).toEqual(["Failed: "]);
    expect(logs[0]?.details).toBe("status 404: A voice with the voice_id voice2 was not found.");
  });

  test.each<readonly [string, object, string]>([
    ["an empty text", { text: "{{Age}}" }, "No text provided"],
    ["10,001 characters", { text: "x".repeat(10_001) }, "The text is too long to convert to speech"],
    ["a voice that is a path", { voiceId: "../../v1/user" }, "No voice provided"],
    ["missing credentials", { credentialsId: undefined }, "Could not find credentials for block elevenlabs"],
  ])("Convert text to speech of ElevenLabs sends no request with %s", async (_, options, sentence) => {
    const before = elevenlabs.asked.length;
    const { texts, logs } = await speak(options);
    expect(texts).toEqual(["Failed: "]);
    expect(logs.map(({ description }) => description)).toEqual([sentence]);
    expect(elevenlabs.asked.length).toBe(before);
  });
});

describe("QR code", () => {
  const draw = (data: string) =>
    chats.talk({
      type: "qr-code",
      options: { action: "Generate a QR Code", data, saveUrlInVariableId: variable },
    });

  test("a QR code is a picture of 512 pixels that is stored as a file of the result", async () => {
    const { texts } = await draw("https://example.com/?name={{Name}}");
    const png = Buffer.from(await fileAt(texts));
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    expect([png.readUInt32BE(16), png.readUInt32BE(20), png[24], png[25]]).toEqual([512, 512, 1, 0]);
  });

  test("a QR code contains up to 2,900 bytes", async () => {
    expect((await fileAt((await draw("é".repeat(1_450))).texts)).length).toBeGreaterThan(1_000);
    const { texts, logs } = await draw(`${"é".repeat(1_450)}x`);
    expect(texts).toEqual(["Failed: "]);
    expect(logs).toMatchObject([{ description: "The content of the QR code is larger than 2900 bytes" }]);
  });

  test("a QR code fails for an empty text", async () => {
    const { texts, logs } = await draw("{{Age}}");
    expect(texts).toEqual(["Failed: "]);
    expect(logs).toMatchObject([{ status: "error", description: "The QR code has no content" }]);
  });
});
