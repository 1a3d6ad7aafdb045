import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { templates } from "../../src/core/templates/index.ts";
import { type AppHost, openAppHost } from "../support/app-host.ts";
import { withoutEmoji } from "../support/builder-world.ts";

type Write = (name: string, png: Uint8Array, mostBytes: number) => Promise<void>;

/** A screen of a bot with sample data: its path below the bot's address, and the actions before the picture. */
type Picture = {
  readonly name: string;
  readonly path: string;
  readonly looks: readonly Look[];
  readonly act: (page: Page) => Promise<void>;
};

type Look = "wide" | "narrow" | "wide-dark" | "narrow-dark";

const looks: Readonly<Record<Look, BrowserContextOptions>> = {
  wide: { viewport: { width: 1400, height: 900 }, colorScheme: "light" },
  narrow: { viewport: { width: 390, height: 844 }, colorScheme: "light" },
  "wide-dark": { viewport: { width: 1400, height: 900 }, colorScheme: "dark" },
  "narrow-dark": { viewport: { width: 390, height: 844 }, colorScheme: "dark" },
};

const pictures: readonly Picture[] = [
  { name: "results", path: "/results", looks: ["wide", "narrow", "wide-dark"], act: openResult },
  { name: "preview", path: "/preview", looks: ["wide", "narrow", "wide-dark"], act: answerTwice },
  {
    name: "outline",
    path: "",
    looks: ["narrow", "narrow-dark"],
    act: (page) => page.getByText("Good to meet you").first().waitFor(),
  },
];

/**
 * Takes pictures of the screens with which a bot's author works: its results, its preview, and its outline on a phone.
 */
export async function takeBotScreens(browser: Browser, write: Write): Promise<void> {
  const host = await openAppHost();
  const [template] = templates;
  if (!template) throw new Error("There is no template to picture.");
  const { id: _id, about: _about, icon: _icon, ...flow } = template;
  const { botId } = await host.publish(withoutEmoji(flow));
  await putResults(host, botId);
  for (const { name, path, looks: shown, act } of pictures) {
    for (const look of shown) {
      const context = await browser.newContext({ ...looks[look], reducedMotion: "reduce" });
      await host.signIn(context);
      const page = await context.newPage();
      await page.goto(`${host.builder}/bots/${botId}${path}`);
      await act(page);
      await write(`builder-${name}-${look}`, await page.screenshot({ caret: "hide" }), 120_000);
      await context.close();
    }
  }
  await host.close();
}

const frameOf = (page: Page) => page.frameLocator("iframe");

/** Opens a result, except on a phone, where it would cover the table. */
async function openResult(page: Page): Promise<void> {
  await page.getByRole("row").nth(6).waitFor();
  if ((page.viewportSize()?.width ?? 0) < 600) return;
  await page.getByRole("row").nth(2).getByRole("link").click();
  await page.getByRole("dialog").frameLocator(".results-seen").getByText("grace@example.com").first().waitFor();
}

async function answerTwice(page: Page): Promise<void> {
  await frameOf(page).getByRole("textbox").fill("Ada");
  await frameOf(page).getByRole("textbox").press("Enter");
  await frameOf(page).getByRole("button", { name: "A new project" }).click();
  await frameOf(page).getByRole("button", { name: "This month" }).waitFor();
  await page.getByText("You: A new project").waitFor();
}

/** Imports the results as if from another service, so that their dates are constant. */
async function putResults({ api, owner }: AppHost, botId: string): Promise<void> {
  const { token } = owner;
  const bot = await api.client.get(`/api/v1/bots/${botId}`, { token });
  const inputs = JSON.stringify(bot.at("bot.groups")).matchAll(/"id":"([^"]+)","type":"[a-z ]+ input"/g);
  const blockIds = [...inputs].map(([, id = ""]) => id);
  const results = visitors.map((answers, index) => ({
    id: `brought-${index}`,
    createdAt: new Date(Date.UTC(2026, 9, 14, 15, 20) - index * 7_400_000).toISOString(),
    hasStarted: answers.length > 0,
    isCompleted: answers.length > 4,
    answers: answers.flatMap((content, at) => {
      const blockId = blockIds[at];
      return blockId === undefined ? [] : [{ blockId, content }];
    }),
  }));
  await api.client.post(`/api/v1/bots/${botId}/results/import`, { token, body: { source: "elsewhere", results } });
}

const visitors: readonly (readonly string[])[] = [
  ["Ada", "A new project", "This month", "ada@example.com", "The pages are written already; they need a home."],
  [
    "Grace",
    "Help with something I have",
    "As soon as possible",
    "grace@example.com",
    "For two hundred people on the move.",
  ],
  ["Katherine", "A new project", "No hurry", "katherine@example.com", "A calculation that has to be right."],
  ["Mary"],
  [],
  ["Annie", "A new project", "This month", "annie@example.com", "In three languages."],
  ["Joan", "Just looking"],
  ["Hedy", "Help with something I have", "As soon as possible", "hedy@example.com", "It hops between channels."],
  [],
  ["Radia", "A new project", "No hurry", "radia@example.com", "Trees, mostly."],
];
