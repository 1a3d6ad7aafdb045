import { afterAll, expect, setDefaultTimeout } from "bun:test";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clearTheme } from "../../../src/core/theme/clear.ts";
import { longBrowserTests } from "../../support/browser.ts";
import { createEmptyDatabase } from "../../support/database.ts";
import { saved } from "../../support/flow-page.ts";
import { cleanupStack, endService, startService } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";

setDefaultTimeout(120_000);

const inLongRun = longBrowserTests();
const cleanups = cleanupStack();
afterAll(cleanups.run);

const root = join(import.meta.dir, "../../..");

/** The file of a new block type. The type needs only this file, and a line in the registry. */
const moodInput = `
import { defineInput } from "../../interpreter/program/block.ts";
import { blockSchema, option } from "../options.ts";

export const moodInput = defineInput({
  type: "mood input",
  inputType: "mood",
  summary: "Asks how the visitor feels, on a scale.",
  schema: blockSchema({
    variableId: option.answerVariable,
    best: option.number("The last number of the scale.", 5),
    shownAs: option.word(["smiles", "figures"], "Appearance of the scale."),
  }),
  ask: ({ options }) => ({ options: { best: options?.best ?? 5 } }),
  reply({ options }, _view, reply) {
    const mood = reply?.type === "text" ? reply.text : "";
    return Number(mood) <= (options?.best ?? 5) ? { kind: "accepted", content: mood } : { kind: "invalid" };
  },
  editor: { name: "Mood", icon: "smile", words: ["feeling"], row: ["1 – {options.best}"], related: ["rating input"] },
  examples: [
    {
      title: "The mood is the answer.",
      block: { options: { best: 3 } },
      reply: "2",
      expect: { input: { type: "mood input", options: { best: 3 } }, answer: "2" },
    },
  ],
});
`;

/** Adds the file and the line in the registry to a copy of the current program. */
function programWithMood(): readonly string[] {
  const folder = cleanups.folder();
  for (const part of ["src", "workers", "sql", "package.json", "tsconfig.json"]) {
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "src/core/blocks/inputs/mood-input.ts"), moodInput);
  const registry = join(folder, "src/core/blocks/index.ts");
  const lines = readFileSync(registry, "utf8")
    .replace(/^import /m, 'import { moodInput } from "./inputs/mood-input.ts";\nimport ')
    .replace("createRegistry([", "createRegistry([moodInput, ");
  writeFileSync(registry, lines);
  return [process.execPath, join(folder, "src/cli.ts")];
}

inLongRun(
  "a block type that is added by one file and one registry line has palette entry, card, form, help, search, finding and preview",
  async ({ page, outside }) => {
    const database = await createEmptyDatabase();
    cleanups.add(database.close);
    const service = await startService({
      command: programWithMood(),
      cwd: cleanups.folder(),
      environment: { DATABASE_URL: database.url, WORKER_THREADS: "1" },
    });
    cleanups.add(() => endService(service));
    const link = await waitFor(() => /^Open (http:\S+) to sign in/m.exec(service.stdout())?.[1], { what: "the link" });
    await page.goto(link);
    await page.getByRole("button", { name: "Sign in with this link" }).click();
    await page.getByLabel("Your name").fill("Grace");
    await page.keyboard.press("Enter");
    await page.getByLabel("Workspace name").fill("Harbour school");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "Blank bot" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("Moods");
    // An author who is faster than the catalogue gets the block as soon as the catalogue has arrived.
    const asked = Promise.withResolvers<void>();
    await page.route("**/api/v1/block-types", async (route) => {
      await asked.promise;
      await route.continue();
    });
    await page.keyboard.press("Enter");
    await page.locator(".canvas").waitFor();

    // The theme of new bots is stored with the bot.
    const [made] = await database.sql<{ theme: unknown }[]>`select theme from bots`;
    expect(made?.theme).toEqual(clearTheme);

    const palette = page.getByRole("region", { name: "Blocks" });
    await palette.getByRole("searchbox").fill("feeling");
    await page.keyboard.press("Enter");
    asked.resolve();
    await page.getByLabel("Best").fill("3");
    await page.locator(".canvas-row", { hasText: "1 – 3" }).waitFor();
    await page.getByRole("tab", { name: "Help" }).click();
    await page.getByText("Asks how the visitor feels, on a scale.").waitFor();
    await saved(page);

    await page.getByRole("button", { name: /^Findings/ }).click();
    await page.getByText("No variable stores this answer").waitFor();

    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").last().fill("mood");
    await page.getByRole("option", { name: /Mood · Group #1/ }).waitFor();
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: "Preview", exact: true }).click();
    const chat = page.frameLocator("iframe");
    await chat.getByRole("textbox").fill("9");
    await page.keyboard.press("Enter");
    await chat.getByText("Invalid message").first().waitFor();
    await chat.getByRole("textbox").fill("2");
    await page.keyboard.press("Enter");
    await chat.getByText("2", { exact: true }).waitFor();
    await page.getByRole("region", { name: "What happened" }).getByRole("button", { name: /^Mood/ }).waitFor();
    expect(outside).toEqual([]);
  },
  { reducedMotion: "reduce", viewport: { width: 1440, height: 900 } },
);
