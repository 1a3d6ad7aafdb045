import { afterAll, beforeAll, describe, expect } from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import type { Language } from "../../../src/web/app/words/index.ts";
import { ownClient, person } from "../../fake-providers/google/accounts.ts";
import { type FakeGoogle, startFakeGoogle } from "../../fake-providers/google/server.ts";
import { providerUrls } from "../../fake-providers/kit.ts";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { byKeys, byPointer, type Hands } from "../../support/author-hands.ts";
import { axeProblems } from "../../support/axe.ts";
import { longBrowserTests, type Visit } from "../../support/browser.ts";
import { isLong } from "../../support/campaigns.ts";
import { testKey } from "../../support/events.ts";
import { saved } from "../../support/flow-page.ts";
import { layoutProblems } from "../../support/layout-problems.ts";
import { type Spoken, spokenIn } from "../../support/spoken.ts";

// Follows an author's first hour with tables, calls and payments, from a workspace without a bot to a preview that
// shows each of them.

const inBrowser = longBrowserTests();
let google: FakeGoogle;
let host: AppHost;

if (isLong) {
  beforeAll(async () => {
    google = await startFakeGoogle();
    host = await openAppHost({
      config: {
        ...{ ENCRYPTION_KEY: testKey, PROVIDER_URLS: providerUrls([google]) },
        ...{ GOOGLE_CLIENT_ID: ownClient.id, GOOGLE_CLIENT_SECRET: ownClient.secret },
      },
    });
  });
  afterAll(async () => {
    await host.close();
    await google.close();
  });
}

type Way = {
  readonly language: Language;
  readonly hands: (page: Page) => Hands;
  /** Whether axe checks the screens. Its findings are the same in every language. */
  readonly isReadByAxe: boolean;
};

async function station(page: Page, name: string, { t, isReadByAxe }: { t: Spoken; isReadByAxe: boolean }) {
  const focused = await page.evaluateHandle(() => document.activeElement);
  expect({
    name,
    axe: isReadByAxe ? await axeProblems(page) : [],
    layout: await layoutProblems(page),
    english: await t.leftInEnglish(page),
  }).toEqual({ name, axe: [], layout: [], english: [] });
  await focused.evaluate((element) => element instanceof HTMLElement && element.focus({ preventScroll: true }));
}

function durationIn(language: Language, minutes: number): string {
  return new Intl.NumberFormat(language, { style: "unit", unit: "minute", unitDisplay: "long" }).format(minutes);
}

async function hour({ page, context }: Visit, { language, hands: handsOf, isReadByAxe }: Way): Promise<void> {
  const hands = handsOf(page);
  const t = await spokenIn(language);
  const see = (name: string, on = page) => station(on, name, { t, isReadByAxe });
  // On a phone, the form of a block is a dialog, too.
  const dialog = page.locator("dialog.is-dialog");
  const inText = () =>
    page.waitForFunction(() => document.activeElement?.matches("[data-panel-body] [contenteditable]"));
  const spreadsheet = google.sheets.make({
    tab: "Leads of spring",
    rows: [["Pupil", "Paid"]],
    sharedWith: [person.account],
  });
  await host.signIn(context);
  await page.goto(`${host.builder}/w/${await host.api.makeWorkspace(host.owner)}`);
  await page
    .getByRole("button", { name: t("Blank") })
    .or(page.getByRole("button", { name: t("New bot") }))
    .first()
    .waitFor();
  await see("empty workspace");
  await hands.press("button", t("New bot"));
  await hands.press("tab", t("Blank bot"));
  await hands.write(t("Bot name"), "Enrolment", "dialog");
  await page.keyboard.press("Enter");

  const hello = page.getByRole("button", { name: t("Say hello") });
  await hello.or(page.locator(".outline-row").first()).first().waitFor();
  await see("empty flow");
  if (await hello.count()) await hands.press("button", t("Say hello"));
  else await hands.add(t("Text"));
  await inText();
  await page.keyboard.type("Who is to be enrolled?");
  await hands.add(t("Text input"));
  await page.keyboard.type("Pupil");
  await page.locator("[data-panel-body] .app-option.is-active", { hasText: "Pupil" }).waitFor();
  await page.keyboard.press("Enter");

  await hands.add(t("Google Sheets"));
  await see("sheet without account");
  await hands.choose(t("Google account"), t("New credentials…"));
  await dialog.getByRole("button", { name: t("Connect Google") }).waitFor();
  await see("new account");
  const [tab] = await Promise.all([
    context.waitForEvent("page"),
    hands.press("button", t("Connect Google"), "dialog.is-dialog"),
  ]);
  await tab.getByText(t("The account is connected. You can close this tab.")).waitFor();
  await see("connected tab", tab);
  await tab.close();
  await dialog.getByText(person.account).waitFor();
  await see("connected account");
  await hands.press("button", t("Save"), "dialog.is-dialog");
  await dialog.waitFor({ state: "detached" });
  await hands.write(t("Spreadsheet"), `https://docs.google.com/spreadsheets/d/${spreadsheet}/edit`);
  await hands.choose(t("Sheet"), "Leads of spring");
  await hands.select(t("Action"), t("Insert a row"));
  await hands.press("button", t("Add to {title}", { title: t("Cells") }), "[data-panel-body]");
  await hands.choose(t("Column"), "Pupil");
  await hands.write(t("Value"), "{{Pupil}}");
  await see("sheet with a cell");

  await hands.add(t("Wait for a call"));
  await hands.unfold(t.by("form", "More"));
  await hands.press("switch", t("If nobody answers"), "[data-panel-body]");
  await see("call with a time-out");

  await hands.add(t("Payment"));
  await see("payment without account");
  await hands.choose(t("Stripe account"), t("New credentials…"));
  await hands.write(t("Live publishable key"), "pk_live_1", "dialog.is-dialog");
  await hands.write(t("Live secret key"), "sk_live_1", "dialog.is-dialog");
  await see("shop");
  await hands.press("button", t("Create"), "dialog.is-dialog");
  await dialog.waitFor({ state: "detached" });
  await hands.write(t("Amount"), "12.50");
  await see("payment");
  await hands.add(t("Text"));
  await inText();
  await page.keyboard.type("See you soon, {{Pupil}}");
  await hands.lead(t("After {time}", { time: durationIn(language, 10) }), { group: "Nobody", block: t("Text") });
  await inText();
  await page.keyboard.type("Nobody called");
  await see("form of the other way");
  await hands.leave();
  await see("flow");
  await saved(page);
  // The address of a spreadsheet is looked up as a whole, and not letter by letter.
  expect(google.asked.filter(({ path }) => path === `/v4/spreadsheets/${spreadsheet}`).length).toBeLessThan(4);

  await preview({ page, hands, t, see, spreadsheet });
}

type Previewing = {
  readonly page: Page;
  readonly hands: Hands;
  readonly t: Spoken;
  readonly see: (name: string) => Promise<void>;
  readonly spreadsheet: string;
};

async function preview({ page, hands, t, see, spreadsheet }: Previewing): Promise<void> {
  await hands.press("button", t("Preview"));
  const chat = page.frameLocator("iframe");
  const happened = page.getByRole("region", { name: t("What happened") });
  await hands.say("Ada");
  await happened.getByRole("button", { name: t("Simulate the call") }).waitFor();
  await see("waits for a call");
  expect(google.sheets.rowsOf(spreadsheet)).toEqual([["Pupil", "Paid"], ["Ada"]]);
  await hands.press("button", t("Simulate the call"), ".preview-inspector");
  await happened.getByRole("heading", { name: t("A call was received") }).waitFor();
  await chat
    .getByText(/12[.,]50/)
    .first()
    .waitFor();
  await see("payment in the preview");
  await hands.pressInChat(/Pay|bezahlen|Payer/);
  await chat.getByText("See you soon, Ada").waitFor();
  await happened.getByText(t("The chat has ended")).waitFor();
  await see("trace");
  const trace = (await happened.locator(".preview-step").allInnerTexts()).map((step) => step.split(/\n+/));
  expect(trace).toHaveLength(4);
  expect(trace).toEqual([
    [expect.any(String), `${t("Text")}: Who is to be enrolled?`, `${t("Text input")}: Pupil`],
    [
      ...[
        expect.stringContaining("Ada"),
        "Pupil = Ada",
        t("Google Sheets"),
        `${t("Insert a row")} ${spreadsheet}`,
        expect.stringMatching(/^OK \d+ ms$/),
      ],
      ...["Succesfully inserted row in Leads > Leads of spring", t("Wait for a call")],
    ],
    [t("A call was received"), t("Payment"), t("Payment"), expect.stringMatching(/^OK/)],
    [expect.stringContaining("Success"), `${t("Text")}: See you soon, {{Pupil}}`, t("The chat has ended")],
  ]);

  await hands.press("button", t("Restart"));
  await hands.say("Bo");
  await happened.getByRole("button", { name: t("Skip the wait") }).waitFor();
  await hands.press("button", t("Skip the wait"), ".preview-inspector");
  await happened.getByRole("heading", { name: t("Time ran out") }).waitFor();
  await chat.getByText("Nobody called").waitFor();
}

const wide = { viewport: { width: 1_440, height: 900 }, reducedMotion: "reduce" } as const;
const phone = { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" } as const;

describe("a flow with Google Sheets, a call and a payment", () => {
  const walk = (name: string, way: Way, options: BrowserContextOptions) =>
    inBrowser(
      name,
      async (visit) => {
        await hour(visit, way);
        expect(visit.problems).toEqual([]);
      },
      options,
    );
  walk(
    "an author builds and previews the flow on a phone, by keyboard only",
    { language: "en", hands: byKeys, isReadByAxe: true },
    phone,
  );
  const german = { ...wide, locale: "de-DE" };
  walk(
    "an author builds and previews the flow in German, with a pointer",
    { language: "de", hands: byPointer, isReadByAxe: true },
    german,
  );
  walk(
    "an author builds and previews the flow with a pointer",
    { language: "en", hands: byPointer, isReadByAxe: true },
    wide,
  );
  const [french, portuguese] = [{ locale: "fr-FR" }, { locale: "pt-BR" }];
  walk(
    "an author builds and previews the flow in French on a phone, by keyboard only",
    { language: "fr", hands: byKeys, isReadByAxe: true },
    { ...phone, ...french },
  );
  walk(
    "an author builds and previews the flow in Portuguese, with a pointer",
    { language: "pt-BR", hands: byPointer, isReadByAxe: true },
    { ...wide, ...portuguese },
  );
});
