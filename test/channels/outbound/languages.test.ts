import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asks, flowOf } from "../../support/chat.ts";
import { createOutboundWorld, type OutboundWorld } from "./outbound-world.ts";

let world: OutboundWorld;

beforeAll(async () => {
  world = await createOutboundWorld();
});
afterAll(() => world.close());

/**
 * Returns the texts that ask a contact for a file. `bot` and `contact` are languages, and `connection` contains
 * settings.
 */
async function shown({ connection = {}, bot, contact }: { connection?: object; bot?: string; contact?: string }) {
  const connectionId = await world.connect("telegram", connection);
  const person = await world.contact(connectionId, "telegram", contact === undefined ? {} : { language: contact });
  const settings = bot === undefined ? {} : { general: { language: bot } };
  await world.begin(person, { ...flowOf([asks("file input")]), settings });
  await (await world.hold(connectionId)).drain();
  return world.telegram.shownTo(person.address);
}

describe("the language of a connection's texts", () => {
  test.each([
    ["the connection's language", { connection: { language: "fr" }, bot: "de", contact: "es" }, "Envoyez un fichier."],
    ["the bot's language if the connection has no language", { bot: "de-CH", contact: "es" }, "Sende eine Datei."],
    [
      "the contact's language if neither the connection nor the bot has a language",
      { contact: "es-MX" },
      "Envía un archivo.",
    ],
    [
      "the contact's language if there are no texts in the bot's language",
      { bot: "sv", contact: "pl" },
      "Wyślij plik.",
    ],
    ["English if there are no texts in any of the languages", { bot: "sv", contact: "not a tag" }, "Send a file."],
    ["English if no language is known", {}, "Send a file."],
  ])("a contact gets the connection's texts in %s", async (_, languages, text) => {
    expect(await shown(languages)).toEqual([text]);
  });

  test("a text in the connection's settings replaces the default text", async () => {
    const connection = { language: "fr", texts: { file: "A photo, please." } };

    expect(await shown({ connection })).toEqual(["A photo, please."]);
  });
});
