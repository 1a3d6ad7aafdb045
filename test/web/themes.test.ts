import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { contrast, rgbOf } from "../../src/core/theme/colors.ts";
import { createTestApi, type TestApi } from "../support/api.ts";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, publish, says } from "../support/chat.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { waitFor } from "../support/wait.ts";
import { visitor } from "../support/web-page.ts";

let api: TestApi;
let threads: Threads;
let place: { token: string; workspaceId: string };
let server: Bun.Server<undefined>;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  const owner = await api.makeUser();
  place = { token: owner.token, workspaceId: await api.makeWorkspace(owner) };
  server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => api.handle(request) });
});
afterAll(async () => {
  await server.stop(true);
  await threads.close();
  await api.close();
});

/** A bubble, an answer, another bubble and a field, so that a theme's usual elements are visible. */
const talk = [
  says("Shall we?"),
  {
    id: "choose",
    type: "choice input",
    items: [
      { id: "yes", content: "Yes" },
      { id: "no", content: "No" },
    ],
  },
  says("Your name?"),
  asks("text input"),
];

async function open(page: Page, flow: object): Promise<void> {
  const { publicId } = await publish(api.client, place, flow);
  await page.goto(`${server.url.origin}/${publicId}`);
  await page.waitForSelector("body.is-live");
}

async function answered(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Yes" }).click();
  await page.getByRole("textbox", { name: "Your name?" }).waitFor();
}

function styleOf(page: Page, selector: string, ...names: readonly string[]): Promise<Record<string, string>> {
  return page
    .locator(selector)
    .first()
    .evaluate((element, wanted) => {
      const style = getComputedStyle(element);
      return Object.fromEntries(wanted.map((name) => [name, style.getPropertyValue(name)]));
    }, names);
}

const picture = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>')}`;

const rich = {
  general: {
    font: { type: "Custom", family: "monospace" },
    background: { type: "Color", content: "#101828" },
    progressBar: {
      isEnabled: true,
      color: "#ff00aa",
      backgroundColor: "#220011",
      placement: "Bottom",
      thickness: 7,
      position: "fixed",
    },
  },
  chat: {
    container: {
      maxWidth: "600px",
      maxHeight: "500px",
      backgroundColor: "#1d2939",
      color: "#fefefe",
      opacity: 0.5,
      blur: 3,
      shadow: "lg",
      border: { thickness: 2, color: "#00ff00", opacity: 0.5, roundeness: "large" },
    },
    hostAvatar: { isEnabled: true, url: picture },
    guestAvatar: { isEnabled: true, url: "😀" },
    hostBubbles: {
      backgroundColor: "#112233",
      color: "#ddeeff",
      opacity: 0.5,
      blur: 4,
      shadow: "sm",
      border: { thickness: 3, color: "#445566", opacity: 0.25, roundeness: "custom", customRoundeness: 11 },
    },
    guestBubbles: {
      backgroundColor: "#abc",
      color: "#000001",
      border: { thickness: 1, color: "#010203", roundeness: "none" },
    },
    buttons: { backgroundColor: "#ffd700", color: "#111111", border: { roundeness: "medium" }, shadow: "none" },
    inputs: {
      backgroundColor: "#0c111d",
      color: "#f5f5f5",
      placeholderColor: "#98a2b3",
      border: { thickness: 2, color: "#667085", roundeness: "large" },
    },
    buttonsInput: { layout: "vertical" },
  },
  customCss: ".typebot-host-bubble { letter-spacing: 1px }",
};

describe("a theme", () => {
  inBrowser("each part of a theme is rendered", async ({ page, outside, problems }) => {
    await open(page, { ...flowOf(talk), theme: rich });

    expect(await styleOf(page, ".typebot-buttons-input", "flex-direction")).toEqual({ "flex-direction": "column" });
    expect(await styleOf(page, ".option", "background-color", "color", "border-top-color", "border-radius")).toEqual({
      "background-color": "rgb(12, 17, 29)",
      color: "rgb(245, 245, 245)",
      "border-top-color": "rgb(255, 215, 0)",
      "border-radius": "6px",
    });
    await answered(page);
    expect(await styleOf(page, ".send-button", "background-color", "color", "border-radius", "box-shadow")).toEqual({
      "background-color": "rgb(255, 215, 0)",
      color: "rgb(17, 17, 17)",
      "border-radius": "6px",
      "box-shadow": "none",
    });

    expect(await styleOf(page, ".typebot-container", "background-color", "font-family", "color-scheme")).toEqual({
      "background-color": "rgb(16, 24, 40)",
      "font-family": expect.stringMatching(/^monospace, /),
      "color-scheme": "dark",
    });
    expect(
      await styleOf(
        page,
        ".typebot-chat-view",
        ...["max-width", "max-height", "overflow-y", "background-color", "backdrop-filter", "border-radius"],
        ...["border-top-width", "border-top-color"],
      ),
    ).toEqual({
      "max-width": "600px",
      "max-height": "500px",
      "overflow-y": "auto",
      "background-color": "rgba(29, 41, 57, 0.5)",
      "backdrop-filter": "blur(3px)",
      "border-radius": "20px",
      "border-top-width": "2px",
      "border-top-color": "rgba(0, 255, 0, 0.5)",
    });
    expect(
      await styleOf(
        page,
        ".typebot-host-bubble > .bubble-typing",
        ...["background-color", "color", "backdrop-filter", "border-radius", "border-top-width", "border-top-color"],
        ...["box-shadow", "letter-spacing"],
      ),
    ).toEqual({
      "background-color": "rgba(17, 34, 51, 0.5)",
      color: "rgb(221, 238, 255)",
      "backdrop-filter": "blur(4px)",
      "border-radius": "11px",
      "border-top-width": "3px",
      "border-top-color": "rgba(68, 85, 102, 0.25)",
      "box-shadow": "rgba(0, 0, 0, 0.06) 0px 1px 2px 0px",
      "letter-spacing": "1px",
    });
    expect(
      await styleOf(page, ".typebot-guest-bubble", "background-color", "color", "border-radius", "border-top-color"),
    ).toEqual({
      "background-color": "rgb(170, 187, 204)",
      color: "rgb(0, 0, 1)",
      "border-radius": "0px",
      "border-top-color": "rgb(1, 2, 3)",
    });
    await page.getByRole("textbox").blur();
    expect(
      await styleOf(
        page,
        ".typebot-input",
        ...["background-color", "color", "border-radius", "border-top-width", "border-top-color", "color-scheme"],
      ),
    ).toEqual({
      "background-color": "rgb(12, 17, 29)",
      color: "rgb(245, 245, 245)",
      "border-radius": "20px",
      "border-top-width": "2px",
      "border-top-color": "rgb(102, 112, 133)",
      "color-scheme": "dark",
    });
    const hint = await page
      .getByRole("textbox")
      .evaluate((field) => getComputedStyle(field, "::placeholder").getPropertyValue("color"));
    expect(hint).toBe("rgb(152, 162, 179)");
    expect(await styleOf(page, ".typebot-progress-bar-container", "bottom", "height", "position")).toEqual({
      bottom: "0px",
      height: "7px",
      position: "fixed",
    });
    expect(await styleOf(page, ".typebot-progress-bar", "background-color", "color")).toEqual({
      "background-color": "rgb(34, 0, 17)",
      color: "rgb(255, 0, 170)",
    });
    expect(await page.locator(".is-bubble .avatar img").first().getAttribute("src")).toBe(picture);
    expect(await page.locator(".is-answer .avatar-emoji").first().textContent()).toBe("😀");
    expect({ outside, problems }).toEqual({ outside: [], problems: [] });
  });

  inLongRun("a theme can be of the older format with one roundness and a background picture", async ({ page }) => {
    const background = { type: "Image", content: "https://pictures.example/tea.png" };
    const theme = {
      general: { background },
      chat: { roundness: "large", buttons: { border: { roundeness: "none" } } },
    };
    await open(page, { ...flowOf(talk), version: "6", theme });

    expect(await styleOf(page, ".typebot-container", "background-image", "background-size")).toEqual({
      "background-image": 'url("https://pictures.example/tea.png")',
      "background-size": "cover",
    });
    expect(await styleOf(page, ".bubble-typing", "border-radius")).toEqual({ "border-radius": "20px" });
    expect(await styleOf(page, ".typebot-button", "border-radius")).toEqual({ "border-radius": "0px" });
  });

  const colors = async (page: Page): Promise<Record<string, Record<string, string>>> => {
    const look: Record<string, Record<string, string>> = {};
    await answered(page);
    look["button"] = await styleOf(page, ".send-button", "background-color", "color");
    await page.getByRole("textbox").blur();
    look["page"] = await styleOf(page, ".typebot-container", "background-color");
    look["host"] = await styleOf(page, ".typebot-host-bubble > .bubble-typing", "background-color", "color");
    look["guest"] = await styleOf(page, ".typebot-guest-bubble", "background-color", "color");
    look["input"] = await styleOf(page, ".typebot-input", "background-color", "color");
    return look;
  };
  const [white, ink] = ["rgb(255, 255, 255)", "rgb(32, 32, 32)"];
  const defaults = {
    "6.1": {
      button: { "background-color": "rgb(194, 65, 12)", color: white },
      page: { "background-color": "rgb(248, 248, 248)" },
      host: { "background-color": white, color: ink },
      guest: { "background-color": "rgb(194, 65, 12)", color: white },
      input: { "background-color": white, color: ink },
    },
    "6": {
      button: { "background-color": "rgb(0, 66, 218)", color: white },
      page: { "background-color": white },
      host: { "background-color": "rgb(247, 248, 255)", color: ink },
      guest: { "background-color": "rgb(255, 142, 33)", color: "rgb(28, 25, 23)" },
      input: { "background-color": white, color: ink },
    },
  };
  for (const version of ["6.1", "6"] as const) {
    inBrowser(`a theme without values has the colours of version ${version}`, async ({ page }) => {
      await open(page, { ...flowOf(talk), version });

      expect(await colors(page)).toEqual(defaults[version]);
    });
  }

  inBrowser(
    "a theme without colours is readable in dark mode",
    async ({ page }) => {
      await open(page, flowOf(talk));

      const { button = {}, page: ground = {}, host = {}, guest = {}, input = {} } = await colors(page);
      expect(ground).toEqual({ "background-color": "rgb(23, 21, 19)" });
      for (const part of [button, host, guest, input]) {
        const [on, text] = [rgbOf(part["background-color"]), rgbOf(part["color"])];
        expect(on && text && contrast(on, text)).toBeGreaterThan(4.5);
      }
    },
    { colorScheme: "dark" },
  );

  inBrowser("a hostile theme changes nothing beyond its declarations", async ({ page, outside, problems }) => {
    const text = '#fff;} body{display:none} .typebot-button{background:url("https://evil.example/x")}</style><b>';
    const box = { backgroundColor: text, color: text, border: { color: text } };
    await open(page, {
      ...flowOf(talk),
      theme: {
        general: { background: { type: "Color", content: text } },
        chat: { container: { ...box, maxWidth: text }, hostBubbles: box, guestBubbles: box, buttons: box, inputs: box },
      },
    });

    expect(await page.locator("body").isVisible()).toBe(true);
    expect(await page.locator("b").count()).toBe(0);
    expect(await colors(page)).toEqual(defaults["6.1"]);
    expect({ outside, problems }).toEqual({ outside: [], problems: [] });
  });
});

describe("avatars", () => {
  const drawn = async (chat: object) => {
    const { publicId } = await publish(api.client, place, { ...flowOf([says("Hello")]), theme: { chat } });
    const { html } = await visitor(api).visit(`/${publicId}`);
    return /<div class="avatar" aria-hidden="true">(.*?)<\/div>/.exec(html)?.[1];
  };

  test("a bot has the default avatar, unless its theme sets another avatar or none", async () => {
    expect(await drawn({})).toStartWith('<svg viewBox="0 0 40 40" class="avatar-default"');
    expect(await drawn({ hostAvatar: { isEnabled: false } })).toBeUndefined();
    expect(await drawn({ hostAvatar: { url: "https://a.example/me.png" } })).toContain(
      'src="https://a.example/me.png"',
    );
    expect(await drawn({ hostAvatar: { url: "🫖" } })).toBe('<span class="avatar-emoji">🫖</span>');
  });

  test("SVG avatars and avatars with a javascript: address run no code", async () => {
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>';
    expect(await drawn({ hostAvatar: { url: drawing } })).toStartWith('<img src="data:image/svg+xml,%3Csvg%20');
    expect(await drawn({ hostAvatar: { url: "javascript:alert(1)" } })).toStartWith("<svg viewBox");
  });
});

describe("a theme with a custom container", () => {
  inLongRun("a theme with a custom container scrolls its column, not the page, to new messages", async ({ page }) => {
    const theme = { chat: { container: { maxHeight: "300px", backgroundColor: "#ffffff" } } };
    const lines = Array.from({ length: 12 }, (_, index) => says(`Line ${index}`));
    const settings = { typingEmulation: { enabled: false } };
    await open(page, { ...flowOf([...lines, ...talk]), theme, settings });
    await answered(page);
    await page.waitForFunction(() => {
      const [column, field] = [".typebot-chat-view", ".text-input"].map((name) => document.querySelector(name));
      const [around, within] = [column?.getBoundingClientRect(), field?.getBoundingClientRect()];
      return around && within && within.top >= around.top && within.bottom <= around.bottom;
    });

    expect(await page.locator(".typebot-chat-view").evaluate((column) => column.clientHeight)).toBe(300);
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
  });

  inLongRun(
    "a theme with a picture as background shows the hint of a field on a translucent white background",
    async ({ page }) => {
      const theme = { general: { background: { type: "Image", content: "https://pictures.example/tea.png" } } };
      await open(page, { ...flowOf([says("Tell me"), asks("text input", { isLong: true })]), theme });

      expect(await styleOf(page, ".field-hint", "background-color")).toEqual({
        "background-color": "rgba(255, 255, 255, 0.9)",
      });
    },
  );
});

describe("the files that a theme loads", () => {
  inBrowser("a theme that names no file loads no file", async ({ page, outside }) => {
    await open(page, flowOf(talk));
    await answered(page);

    expect(outside).toEqual([]);
  });

  inBrowser("a theme with a named font loads only the font's style sheet", async ({ page, outside }) => {
    await open(page, { ...flowOf(talk), theme: { general: { font: { type: "Google", family: "Noto Serif" } } } });

    const address = "https://fonts.bunny.net/css2?family=Noto+Serif:wght@400;600;700&display=swap";
    await waitFor(() => outside.length > 0, { what: "the font to be asked for" });
    expect([...new Set(outside)]).toEqual([address]);
    expect((await styleOf(page, ".typebot-container", "font-family"))["font-family"]).toStartWith('"Noto Serif", ');
  });

  inBrowser(
    "a theme loads the style sheets that its own rules import, and no others",
    async ({ page, outside, problems }) => {
      await open(page, {
        ...flowOf(talk),
        theme: {
          general: { font: { type: "Custom", family: "House", css: "@font-face{font-family:House;src:local(Arial)}" } },
          customCss: '@import url("https://styles.example/chat.css"); .typebot-button { text-transform: uppercase }',
        },
      });

      expect(outside).toEqual(["https://styles.example/chat.css"]);
      expect(await styleOf(page, ".typebot-button", "text-transform")).toEqual({ "text-transform": "uppercase" });
      expect(await page.evaluate(() => [...document.fonts].map(({ family }) => family))).toEqual(["House"]);
      expect(problems.filter((problem) => problem.includes("Content Security Policy"))).toEqual([]);
    },
  );
});

describe("a theme that follows variables", () => {
  const sets = (name: string, value: string) => ({
    id: `set ${name} ${value}`,
    type: "Set variable",
    options: { variableId: idOf(name), expressionToEvaluate: value },
  });
  const other = picture.replace("0%200%201%201", "0%200%202%202");
  const flow = {
    ...flowOf([
      sets("Ground", "#ffffff"),
      sets("Host", picture),
      says("Shall we?"),
      { id: "choose", type: "choice input", items: [{ id: "yes", content: "Yes" }] },
      sets("Ground", "#101010"),
      sets("Host", other),
      says("Your name?"),
      asks("text input"),
    ]),
    variables: ["Ground", "Host"].map((name) => ({ id: idOf(name), name })),
    theme: {
      general: { background: { type: "Color", content: "{{Ground}}" } },
      chat: { hostAvatar: { isEnabled: true, url: "{{Host}}" } },
    },
  };
  const portraits = (page: Page) =>
    page.locator(".avatar img").evaluateAll((images) => images.map((image) => image.getAttribute("src")));

  inBrowser("a theme is repainted when a step changes its variable", async ({ page, problems }) => {
    await open(page, flow);
    const ground = () => styleOf(page, ".typebot-container", "background-color", "color", "color-scheme");
    expect(await ground()).toEqual({
      "background-color": "rgb(255, 255, 255)",
      color: "rgb(39, 39, 42)",
      "color-scheme": "light",
    });

    await answered(page);
    await page.locator("[data-scheme=dark]").waitFor();

    expect(await ground()).toEqual({
      "background-color": "rgb(16, 16, 16)",
      color: "rgb(245, 243, 240)",
      "color-scheme": "dark",
    });
    expect(problems).toEqual([]);
  });

  inLongRun(
    "a theme that follows variables keeps the avatar of earlier messages when a step changes the avatar",
    async ({ page }) => {
      await open(page, flow);
      expect(await portraits(page)).toEqual([picture]);

      await answered(page);

      expect(await portraits(page)).toEqual([picture, other]);
    },
  );

  inBrowser(
    "a theme that follows variables is repainted by the server if no script runs",
    async ({ page }) => {
      const { publicId } = await publish(api.client, place, flow);
      await page.goto(`${server.url.origin}/${publicId}`);
      await answered(page);

      expect(await styleOf(page, ".typebot-container", "background-color", "color-scheme")).toEqual({
        "background-color": "rgb(16, 16, 16)",
        "color-scheme": "dark",
      });
    },
    { javaScriptEnabled: false },
  );
});

describe("a dark theme", () => {
  const theme = {
    general: { background: { type: "Color", content: "#0b1120" } },
    chat: {
      hostBubbles: { backgroundColor: "#1e293b", color: "#e2e8f0" },
      buttons: { backgroundColor: "#38bdf8" },
      inputs: { backgroundColor: "#1e293b", color: "#e2e8f0" },
    },
  };
  const ground = rgbOf("#0b1120") ?? [0, 0, 0];

  inBrowser("a dark theme has fields with a visible placeholder, border and focus ring", async ({ page }) => {
    await open(page, { ...flowOf([says("Your name?"), asks("text input"), says("Thanks")]), theme });
    const field = page.getByRole("textbox");
    const hint = await field.evaluate((element) => getComputedStyle(element, "::placeholder").color);
    await field.focus();
    const ring = (await styleOf(page, ".field-row", "outline-color"))["outline-color"];
    await field.blur();
    const edge = (await styleOf(page, ".field-row", "border-top-color"))["border-top-color"];

    const fill = rgbOf("#1e293b") ?? ground;
    expect(contrast(rgbOf(hint) ?? fill, fill)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(rgbOf(edge) ?? ground, ground)).toBeGreaterThanOrEqual(3);
    expect(contrast(rgbOf(ring) ?? ground, ground)).toBeGreaterThanOrEqual(3);
  });

  inLongRun("a dark theme has dark checkboxes that visibly show their selection", async ({ page }) => {
    const items = [
      { id: "a", content: "One" },
      { id: "b", content: "Two" },
    ];
    const several = { id: "several", type: "choice input", options: { isMultipleChoice: true }, items };
    await open(page, { ...flowOf([says("Which?"), several]), theme });
    await page.getByRole("checkbox", { name: "One" }).check();
    await page.mouse.move(0, 0);
    const seen = await page
      .locator(".typebot-selectable")
      .evaluateAll((labels) => labels.map((label) => getComputedStyle(label).backgroundImage));

    expect(seen).toEqual(["linear-gradient(rgba(56, 189, 248, 0.12), rgba(56, 189, 248, 0.12))", "none"]);
    expect(await styleOf(page, ".typebot-checkbox", "color-scheme", "accent-color")).toEqual({
      "color-scheme": "dark",
      "accent-color": "rgb(56, 189, 248)",
    });
  });
});
