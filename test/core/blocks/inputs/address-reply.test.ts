import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { blocks } from "../../../../src/core/blocks/index.ts";
import { isInputMessage } from "../../../../src/core/interpreter/program/outcome.ts";
import { play } from "../one-block.ts";

const type = "address input";
const parts = [
  { part: "City", variableId: "v_City" },
  { variableId: "v_Street" },
  { part: "Country" },
  { part: "Region", variableId: "" },
];
const options = { credentialsId: "ours", variableId: "v_Address", labels: { placeholder: "In {{City}}?" }, parts };
const variables = { Address: null, City: "Lyon", Street: "Old Street" };
const found = { kind: "suggestion", parts: { City: "Paris", Street: "Rue de Rivoli", Country: "France" } } as const;
const chosen = { type: "text", text: " Rivoli 99 ", replyId: "token" } as const;

describe("an address", () => {
  test("the client gets the address input without its credentials", () => {
    const { asked } = play({ block: { type, options }, variables });
    expect(asked.input).toEqual({
      ...{ id: "block", type },
      options: { variableId: "v_Address", labels: { placeholder: "In Lyon?" }, hasSuggestions: true },
    });
    expect(play({ block: { type, options: { ...options, credentialsId: "" } }, variables }).asked.input).toEqual({
      ...{ id: "block", type },
      options: { variableId: "v_Address", labels: { placeholder: "In Lyon?" } },
    });
    expect(play({ block: { type } }).asked.input).toEqual({ id: "block", type });
    expect(Value.Check(blocks.get(type)?.input?.shown ?? Type.Never(), asked.input)).toBe(true);
  });

  test("a chosen address sets the variables of the parts in its token", () => {
    const heard = play({ block: { type, options }, variables, report: found }).say(chosen);
    expect(heard.effects).toEqual([{ kind: "suggestion", blockId: "block", text: "Rivoli 99", token: "token" }]);
    expect(heard.answer).toBe("Rivoli 99");
    expect(heard.variables).toEqual({ Address: "Rivoli 99", City: "Paris", Street: "Rue de Rivoli" });
  });

  test.each([
    ["a refused effect", { kind: "refused", reason: "no" }],
    ["an unknown token", { kind: "suggestion", parts: null }],
    ["a token without the requested parts", { kind: "suggestion", parts: { Region: "IDF" } }],
  ] as const)("an address is accepted after %s, and the variables of its parts are cleared", (_, report) => {
    const heard = play({ block: { type, options }, variables, report }).say(chosen);
    expect(heard.answer).toBe("Rivoli 99");
    expect(heard.variables).toEqual({ Address: "Rivoli 99", City: null, Street: null });
  });

  test("a typed address is accepted without a look-up", () => {
    const typed = play({ block: { type, options }, variables, report: found }).say("Rivoli 99");
    expect([typed.effects, typed.variables["City"]]).toEqual([[], null]);
    for (const one of [undefined, { ...options, parts: undefined }, { ...options, parts: parts.slice(2) }]) {
      const heard = play({ block: { type, ...(one && { options: one }) }, variables, report: found }).say(chosen);
      expect([heard.effects, heard.answer, heard.variables["City"]]).toEqual([[], "Rivoli 99", "Lyon"]);
    }
  });

  test.each([[" "], [""], [null], [{ type: "audio", url: "https://x.example/a.mp3" }]] as const)(
    "the reply %j is not accepted as an address",
    (reply) => {
      const heard = play({ block: { type, options }, variables, report: found }).say(reply);
      expect([heard.answer, heard.effects]).toEqual([null, []]);
      expect(heard.input).not.toBe(null);
    },
  );
});

describe("the address block", () => {
  const definition = blocks.get(type);
  const stored = (given?: object) => ({ id: "b", type, ...(given && { options: given }) });

  test("the address block has suggestions if it has credentials", () => {
    const sourceOf = (given?: object) => definition?.input?.suggestions?.(stored(given));
    expect(sourceOf(options)).toMatchObject({
      credentialsType: "address-search",
      credentialsId: "ours",
      takesParts: true,
    });
    expect(sourceOf({ credentialsId: "ours" })?.takesParts).toBe(false);
    expect(sourceOf(options)?.ask("a b")).toEqual({ method: "GET", path: "/", query: [["query", "a b"]] });
    expect([sourceOf(), sourceOf({}), sourceOf({ credentialsId: "" })]).toEqual([undefined, undefined, undefined]);
  });

  test("the address block advises choosing credentials for its parts", () => {
    expect(definition?.advice?.(stored({ parts }))).toContain("Choose credentials for an address search");
    const none = [undefined, {}, options, { parts: parts.slice(2) }];
    expect(none.map((given) => definition?.advice?.(stored(given)))).toEqual(none.map(() => undefined));
  });

  test("the address block is a text input for clients that do not know it", () => {
    const knownOf = (given: object) => {
      const input = { id: "b", type, ...given };
      return isInputMessage(input) ? definition?.input?.asKnown?.(input) : undefined;
    };
    expect(knownOf({ options: { labels: { placeholder: "Where?", button: "Here" } } })).toEqual({
      ...{ type: "text input", options: { labels: { placeholder: "Where?", button: "Here" } } },
    });
    expect(knownOf({})).toEqual({ type: "text input", options: { labels: { placeholder: "Type your address..." } } });
  });
});
