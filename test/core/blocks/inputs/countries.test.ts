import { describe, expect, test } from "bun:test";
import { homeCountries } from "../../../../src/web/components/inputs/countries/names.ts";
import { supportedLanguages } from "../../../../src/web/conversation/languages/index.ts";
import { play } from "../one-block.ts";

const asks = (options: object = {}, language?: string) =>
  play({
    block: { type: "text input", options: { isCountry: true, variableId: "v_Country", ...options } },
    variables: { Country: null },
    ...(language !== undefined && { settings: { general: { language } } }),
  });
const stored = (text: string, language?: string) => asks({}, language).say(text).answer;

describe("a country", () => {
  test.each([...supportedLanguages])("a country is stored with the name that a page in %s shows", (language) => {
    const scenes = [asks(), asks({}, language)];
    const wrong = homeCountries(language).flatMap(({ name, code }) => {
      const reply = { type: "text", text: name, replyId: code } as const;
      return scenes.map((scene) => scene.say(reply).answer).filter((answer) => answer !== name);
    });
    expect(wrong).toEqual([]);
  });

  test("a country's name is stored in the bot's language", () => {
    const names = ["germany", " Deutschland ", "ALLEMAGNE", "DE", "de", "ألمانيا", "ドイツ"];
    expect(names.map((name) => stored(name, "es"))).toEqual(names.map(() => "Alemania"));
    expect(stored("Deutschland")).toBe("Deutschland");
    expect(stored("deutschland", "not a tag")).toBe("Deutschland");
    expect(stored("deutschland", "de-")).toBe("Deutschland");
    expect(stored("de", "de-AT")).toBe("Deutschland");
    expect(stored("DE")).toBe("Germany");
    // Rare languages also have country names.
    expect(stored("Tyskland", "sv")).toBe("Tyskland");
    expect(stored("Tyskland")).toBe(null);
    // A language without country names uses the English names.
    expect(stored("DE", "tlh")).toBe("Germany");
  });

  test("a country can be entered by its short name or everyday name", () => {
    const names: Record<string, string> = {
      US: "United States",
      USA: "United States",
      "the united states of america": "United States",
      uk: "United Kingdom",
      England: "United Kingdom",
      "Great Britain": "United Kingdom",
      Holland: "Netherlands",
      "The Netherlands": "Netherlands",
      bosnia: "Bosnia & Herzegovina",
      "Hong-Kong": "Hong Kong SAR China",
      turkey: "Türkiye",
      "Cote d'Ivoire": "Côte d’Ivoire",
      "ivory coast": "Côte d’Ivoire",
      Kosovo: "Kosovo",
    };
    expect(Object.fromEntries(Object.keys(names).map((name) => [name, stored(name)]))).toEqual(names);
  });

  test("an unknown name is rejected unless the reply's id is a country code", () => {
    for (const text of ["", "  ", "Atlantis", "ZZ", "constructor", "I live in Peru"]) expect(stored(text)).toBe(null);
    const scene = asks({}, "fr");
    const say = (text: string, replyId: string) => scene.say({ type: "text", text, replyId }).answer;
    expect(say("Bundesrepublik", "DE")).toBe("Allemagne");
    expect(say("Bundesrepublik", "de")).toBe(null);
    expect(say("Peru", "DE")).toBe("Pérou");
    expect(scene.say({ type: "audio", url: "https://example.com/a.mp3" }).answer).toBe(null);
  });

  test("a text that is not a country gets the block's retry message", () => {
    const said = asks({ retryMessageContent: "Which country, {{Country}}?" }).say("Atlantis");
    expect(said.answer).toBe(null);
    expect(JSON.stringify(said.messages)).toContain("Which country, ?");
    expect(JSON.stringify(asks().say("Atlantis").messages)).toContain("Invalid message. Please, try again.");
  });

  test("a country input offers no suggestions, attachments or audio clips", () => {
    const offers = { followUps: { texts: ["Peru"] }, attachments: { isEnabled: true }, audioClip: { isEnabled: true } };
    const { input } = asks({ ...offers, labels: { button: "On" } }).asked;
    expect(input).toMatchObject({ options: { isCountry: true, labels: { button: "On" } } });
    for (const name of Object.keys(offers)) expect(input).not.toHaveProperty(["options", name]);
  });

  test("any text is accepted if the country option is off", () => {
    expect(asks({ isCountry: false }).say("Atlantis").answer).toBe("Atlantis");
  });
});
