import { describe, expect, test } from "bun:test";
import { apply, invert } from "../../../src/core/editing/changes/apply.ts";
import type { Change, DraftDocument } from "../../../src/core/editing/changes/change.ts";
import { getFlowSchemas } from "../../../src/management/block-types/block-types.ts";
import { isRefused } from "../../../src/web/app/editor/commands/command.ts";
import { replaceTheme, setInPart } from "../../../src/web/app/editor/commands/look.ts";
import { asDraft } from "../../../src/web/app/editor/working-copy/replica.ts";
import { type FieldSchema, schemaAt, valueAt } from "../../../src/web/app/forms/index.ts";
import { type EmbedOptions, snippetFor } from "../../../src/web/app/page-parts/snippets.ts";
import { sections as settingsSections } from "../../../src/web/app/screens/settings/sections.ts";
import { schemaOfSettings } from "../../../src/web/app/screens/settings/settings-schema.ts";
import { type FormPart, sections as themeSections } from "../../../src/web/app/screens/theme/sections.ts";
import { schemaOfTheme } from "../../../src/web/app/screens/theme/theme-schema.ts";
import { asReached } from "../../../src/web/app/session/service-pages.ts";
import { storedFlowFiles } from "../../support/stored-flows.ts";

type Path = readonly string[];

const schemas = getFlowSchemas();
const themeSchema = schemaOfTheme(schemas.theme, { theme: {}, version: "6.1" });
const settingsSchema = schemaOfSettings(schemas.settings, {});

/** Returns the path of every field without subfields. */
function fieldsOf(schema: FieldSchema, path: Path = []): readonly Path[] {
  if (!schema.properties) return [path];
  return Object.entries(schema.properties).flatMap(([key, field]) => fieldsOf(field, [...path, key]));
}

/** Returns the fields that a form renders, with whole objects as one field. */
const drawn = (schema: FieldSchema, { at, only }: FormPart): readonly string[] =>
  (only ?? Object.keys(schemaAt(schema, at)?.properties ?? {})).map((key) => `${[...at, key].join(".")}.`);

describe("the sections of theme and settings", () => {
  for (const [name, schema, sections] of [
    ["each field of a theme is in exactly one section", themeSchema, themeSections],
    ["each field of the settings is in exactly one section", settingsSchema, settingsSections],
  ] as const) {
    test(name, () => {
      const { dark: _, ...properties } = schema.properties ?? {};
      const all = Object.values(sections).flatMap((parts) => parts.flatMap((part) => drawn(schema, part)));
      for (const path of fieldsOf({ ...schema, properties })) {
        const holders = all.filter((one) => `${path.join(".")}.`.startsWith(one));
        expect(holders.length, path.join(".")).toBe(1);
      }
      const unknown = Object.values(sections).flatMap((parts) => parts.filter(({ hasUnknown }) => hasUnknown));
      expect(new Set(unknown.map(({ at }) => at.join("."))).size).toBe(unknown.length);
    });
  }
});

const draftOf = (flow: object): DraftDocument =>
  asDraft({ groups: [], edges: [], variables: [], events: [], theme: {}, settings: {}, ...flow });
const changesOf = (made: ReturnType<typeof setInPart.make>): readonly Change[] => (isRefused(made) ? [] : made.changes);
const tools = { newId: () => "id" };

test("an edit of theme or settings changes only its field", () => {
  let edits = 0;
  for (const { name, flow } of storedFlowFiles()) {
    const draft = draftOf(JSON.parse(JSON.stringify(flow)));
    for (const [of, schema] of [["theme", themeSchema] as const, ["settings", settingsSchema] as const]) {
      for (const path of fieldsOf(schema)) {
        const changes = changesOf(setInPart.make(draft, { of, path, value: "another" }, tools));
        const after = apply(draft, changes);
        expect(valueAt(after[of], path), name).toBe("another");
        expect(asDraft(apply(asDraft(after), invert(draft, changes)))).toEqual(draft);
        edits += 1;
      }
    }
    const theme = { chat: { roundness: "large" } };
    const replaced = apply(draft, changesOf(replaceTheme.make(draft, { theme, from: "Fern" }, tools)));
    expect<unknown>(replaced["theme"]).toEqual(theme);
    expect(replaced["groups"]).toEqual(draft.groups);
  }
  expect(edits).toBeGreaterThan(500);
});

test("an empty colour field of a theme shows the page's default colour", () => {
  const at = (version: string, ...path: Path) =>
    schemaAt(schemaOfTheme(schemas.theme, { theme: {}, version }), path)?.default;
  expect(at("6.1", "general", "background", "content")).toBe("#f8f8f8");
  expect(at("6", "general", "background", "content")).toBe("#ffffff");
  expect(at("6", "chat", "buttons", "backgroundColor")).toBe("#0042da");
  const theme = { chat: { buttons: { backgroundColor: "#123456" } } };
  const dark = schemaOfTheme(schemas.theme, { theme, version: "6.1" });
  expect(schemaAt(dark, ["dark", "chat", "buttons", "backgroundColor"])?.default).toBe("#123456");
  expect(schemaAt(dark, ["dark", "chat", "inputs", "backgroundColor"])?.default).toBe("#1e1b19");
  expect(schemaAt(dark, ["chat", "buttons", "backgroundColor"])?.default).toBe("#c2410c");
});

const options: EmbedOptions = {
  ...{ height: "", width: "", placement: "right", size: "medium", buttonColor: "", iconColor: "", icon: "" },
  ...{ message: "", opening: "never", after: "", opener: "Talk" },
};
const embedding = { chatAddress: "https://chat.example.com", publicId: "fern", frameName: "Chat", variables: {} };

test("embed snippets contain the chosen options, and no defaults", () => {
  const script = `<script src="https://chat.example.com/embed.js" defer></script>`;
  expect(snippetFor("bubble", { ...embedding, options })).toBe(`${script}\n<parley-bubble bot="fern"></parley-bubble>`);
  const message = `"Hi" & <b>`;
  const chosen = { ...options, placement: "left", opening: "delay", after: "2.5", message } as const;
  expect(snippetFor("bubble", { ...embedding, options: chosen, variables: { Name: "Ada" } })).toBe(
    `${script}\n<parley-bubble\n  bot="fern"\n  prefilled-variables="{&quot;Name&quot;:&quot;Ada&quot;}"\n  auto-show-delay="2500"` +
      `\n  placement="left"\n  preview-message="&quot;Hi&quot; &amp; &lt;b>"></parley-bubble>`,
  );
  expect(snippetFor("popup", { ...embedding, options: { ...options, opening: "exit" } })).toContain("open-on-exit>");
  expect(snippetFor("page", { ...embedding, options: { ...options, height: "500" } })).toContain("height: 500px");
  expect(snippetFor("frame", { ...embedding, options, variables: { Name: "Ada & co" } })).toContain(
    `src="https://chat.example.com/fern?Name=Ada+%26+co"`,
  );
  expect(snippetFor("api", { ...embedding, options, variables: { Name: "O'Hara" } })).toContain(
    String.raw`-d '{"prefilledVariables":{"Name":"O'\''Hara"}}'`,
  );
});

test("chats on the builder's host use the protocol of the builder's page", () => {
  const page = { protocol: "https:", hostname: "bots.example.com" };
  expect(asReached("http://bots.example.com", page)).toBe("https://bots.example.com");
  expect(asReached("http://bots.example.com:3000", page)).toBe("https://bots.example.com:3000");
  expect(asReached("http://chat.example.com", page)).toBe("http://chat.example.com");
  expect(asReached("http://localhost:3000", { protocol: "http:", hostname: "localhost" })).toBe(
    "http://localhost:3000",
  );
});
