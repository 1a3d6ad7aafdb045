import { afterAll, beforeAll, expect } from "bun:test";
import { axeProblems } from "../../support/axe.ts";
import { longBrowserTests } from "../../support/browser.ts";
import { type BuilderHost, openBuilderHost } from "../../support/builder-host.ts";
import { isLong } from "../../support/campaigns.ts";
import { asks, flowOf, says } from "../../support/chat.ts";

let host: BuilderHost;
const inLongRun = longBrowserTests();

if (isLong)
  beforeAll(async () => {
    host = await openBuilderHost();
  });
if (isLong) afterAll(() => host.close());

inLongRun(
  "a person who selects French sees French screens, counts, blocks and fields",
  async ({ page, context, problems }) => {
    const ada = await host.api.makeUser({ name: "Ada" });
    const workspaceId = await host.api.makeWorkspace(ada);
    const bot = { name: "Leads", ...flowOf([says("Bonjour"), asks("text input"), says("Merci")]) };
    const made = await host.api.client.post("/api/v1/bots", { token: ada.token, body: { workspaceId, bot } });
    await host.signIn(context, ada.userId);
    await page.goto(`${host.origin}/app/account`);
    await page.getByRole("combobox", { name: "Language" }).selectOption("Français");
    await page.getByRole("heading", { name: "Compte" }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("fr");
    expect(await axeProblems(page)).toEqual([]);

    await page.goto(`${host.origin}/app/w/${workspaceId}`);
    await page.getByRole("button", { name: "Nouveau bot" }).first().waitFor();
    await page.goto(`${host.origin}/app/bots/${made.text("bot.id")}`);
    await page.getByRole("button", { name: "Afficher en plan" }).click();
    await page.getByRole("treegrid", { name: /^Flux de .*, \d+ groupes?$/ }).waitFor();
    await page.getByRole("row", { name: /Saisie de texte/ }).click();
    await page.getByText("Enregistrer la réponse dans").first().waitFor();
    expect(await axeProblems(page)).toEqual([]);

    // English names from the service are shown in French, and numbers have the French format.
    const elsewhere = await context.browser()?.newContext();
    const other = await elsewhere?.newPage();
    await other?.goto(`${host.origin}/app/sign-in`);
    await other?.getByLabel("Token").fill(ada.token);
    await other?.keyboard.press("Enter");
    await other?.getByRole("button", { name: "Ada" }).waitFor();
    await elsewhere?.close();
    await page.goto(`${host.origin}/app/account/sign-ins`);
    await page.getByText(/^Chrome sous \w+$/).waitFor();
    await page.goto(`${host.origin}/app/w/${workspaceId}/settings/credentials`);
    await page.getByRole("button", { name: "Nouveaux identifiants" }).first().click();
    await page.getByLabel("Service").selectOption("Recherche d'adresses");
    expect(problems).toEqual([]);
    // This host has no chat page for the preview next to the theme.
    await page.goto(`${host.origin}/app/bots/${made.text("bot.id")}/theme?part=inputs`);
    await page.getByText("Contraste entre le texte et le fond : 16,2 : 1.").waitFor();
  },
  { reducedMotion: "reduce", viewport: { width: 1280, height: 800 } },
);
