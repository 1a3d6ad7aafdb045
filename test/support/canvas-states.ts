import type { Page } from "playwright-core";

/**
 * A state of the flow screen that shows the canvas, and the actions that lead to it. Each state starts with nothing
 * open and nothing selected.
 */
export type CanvasState = {
  readonly name: string;
  readonly act: (page: Page) => Promise<void>;
};

export const canvasStates: readonly CanvasState[] = [
  { name: "a flow", act: (page) => keys(page, "1") },
  { name: "a group", act: (page) => choose(page, "offer") },
  {
    name: "an item",
    async act(page) {
      await choose(page, "hello");
      await keys(page, "Enter", "ArrowDown", "ArrowDown", "ArrowDown");
    },
  },
  { name: "a line", act: chooseEdge },
  { name: "several", act: (page) => keys(page, "1", "Control+a") },
  { name: "a note", act: chooseNote },
  {
    name: "a note that is written",
    async act(page) {
      await chooseNote(page);
      await keys(page, "Enter");
    },
  },
  {
    name: "a frame",
    async act(page) {
      await choose(page, "hello");
      await keys(page, "ArrowUp");
      await page.locator(".canvas-frame.is-chosen").waitFor();
    },
  },
  {
    name: "far away",
    async act(page) {
      await choose(page, "hello");
      await keys(page, "ArrowUp", "1", ..."-------");
      await page.locator(".canvas.is-far").waitFor();
    },
  },
  {
    name: "a line that is drawn",
    async act(page) {
      await keys(page, "1");
      const box = await page.locator("#card-lost").boundingBox();
      // Clicks the port at the end of the block's row.
      if (box) await page.mouse.click(box.x + box.width, box.y + box.height * 0.63);
      await page.locator(".canvas-port-waiting").waitFor();
    },
  },
  {
    name: "menu of a group",
    async act(page) {
      await choose(page, "offer");
      await keys(page, "Shift+F10");
      await page.getByRole("menu").waitFor();
    },
  },
  {
    name: "colors",
    async act(page) {
      await choose(page, "offer");
      await page.getByRole("toolbar").getByRole("button", { name: "Colour" }).click();
      await page.getByRole("menu").waitFor();
    },
  },
  {
    name: "position",
    async act(page) {
      await choose(page, "offer");
      await keys(page, "Shift+F10");
      await page.getByRole("menuitem", { name: "Position…" }).click();
      await asked(page);
    },
  },
  {
    name: "keys",
    async act(page) {
      await keys(page, "?");
      await asked(page);
    },
  },
  {
    name: "add a block",
    async act(page) {
      await keys(page, "a");
      await asked(page);
    },
  },
  {
    name: "palette of blocks",
    async act(page) {
      const button = page.getByRole("button", { name: "Add a block", exact: true });
      if (await button.isVisible()) await button.click();
      await page.getByRole("searchbox", { name: "Search blocks" }).fill("te");
    },
  },
  {
    name: "find",
    async act(page) {
      await keys(page, "Control+f");
      await page.getByRole("searchbox", { name: "Find in this flow" }).fill("he");
      await page.locator(".find-hit").first().waitFor();
    },
  },
  {
    name: "command palette",
    async act(page) {
      await keys(page, "Control+k");
      await page.keyboard.type("o");
      await page.getByRole("option").first().waitFor();
    },
  },
  {
    name: "trial of a request",
    async act(page) {
      await choose(page, "offer");
      await keys(page, "Enter", "ArrowDown", "Enter");
      await page.getByText("Try it", { exact: true }).click();
      await page.getByRole("button", { name: "Send the request" }).waitFor();
    },
  },
  {
    name: "form with code",
    async act(page) {
      await choose(page, "question");
      await keys(page, "Enter", "ArrowDown", "Enter");
      await page.locator("[data-panel-body] .cm-content, [data-panel-body] code-editor").first().waitFor();
    },
  },
  { name: "variables", act: (page) => panel(page, "Variables") },
  {
    name: "merging variables",
    async act(page) {
      await panel(page, "Variables");
      await page.getByRole("button", { name: "Details of Left over" }).click();
      await page.getByRole("button", { name: "Merge into…" }).click();
      await asked(page);
    },
  },
  { name: "findings", act: (page) => panel(page, "Findings") },
  { name: "history", act: (page) => panel(page, "History") },
];

async function keys(page: Page, ...list: readonly string[]): Promise<void> {
  await page.locator(".canvas").focus();
  for (const key of list) await page.keyboard.press(key);
}

async function choose(page: Page, id: string): Promise<void> {
  await page.evaluate((wanted) => {
    history.replaceState(null, "", `${location.pathname}?at=${wanted}`);
    dispatchEvent(new PopStateEvent("popstate"));
  }, id);
  await page.locator(`#card-${id}.is-chosen`).waitFor();
  await page.locator(".canvas").focus();
}

async function chooseNote(page: Page): Promise<void> {
  await choose(page, "start");
  await keys(page, "ArrowDown");
  await page.locator(".canvas-note.is-chosen").waitFor();
}

async function chooseEdge(page: Page): Promise<void> {
  await keys(page, "1");
  const at = await page
    .locator(".canvas-edge")
    .first()
    .evaluate((path) => {
      if (!(path instanceof SVGPathElement)) return { x: 0, y: 0 };
      const { x, y } = path.getPointAtLength(path.getTotalLength() / 2);
      return new DOMPoint(x, y).matrixTransform(path.getScreenCTM() ?? undefined);
    });
  await page.mouse.click(at.x, at.y);
  await page.locator(".canvas-edge.is-chosen").waitFor();
}

async function asked(page: Page): Promise<void> {
  await page.getByRole("dialog").waitFor();
}

/** Opens a panel by its button, or by the menu that contains the buttons on a narrow screen. */
async function panel(page: Page, name: string): Promise<void> {
  const button = page.getByRole("button", { name, exact: true });
  if (await button.isVisible()) await button.click();
  else {
    await page.getByRole("button", { name: "Panels" }).click();
    await page.getByRole("menuitem", { name, exact: true }).click();
  }
  await page.locator("[data-panel-body]").waitFor();
}

/** Restores the state in which nothing is open and nothing is selected. */
export async function leaveState(page: Page): Promise<void> {
  const open = page.locator("dialog[open], [popover]:popover-open, .find");
  for (let tries = 0; tries < 6 && (await open.count()) > 0; tries++) {
    await page.keyboard.press("Escape");
    const find = page.getByRole("searchbox", { name: "Find in this flow" });
    if ((await find.count()) > 0) await find.focus();
  }
  const blocks = page.getByRole("searchbox", { name: "Search blocks" });
  if ((await blocks.count()) > 0) await blocks.fill("");
  await page.evaluate(() => {
    history.replaceState(null, "", location.pathname);
    dispatchEvent(new PopStateEvent("popstate"));
  });
  await keys(page, "Escape", "Escape", "Escape", "Escape");
  const pressed = page.locator(".flow-bar-panels [aria-pressed=true]");
  if ((await pressed.count()) > 0 && (await pressed.isVisible())) await pressed.click();
}
