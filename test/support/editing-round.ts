import type { Page } from "playwright-core";

const panels = ["Variables", "Findings", "History"] as const;

/**
 * Performs the actions that authors repeat on the canvas: move, copy, remove, undo, edit titles and texts, open panels,
 * preview. Afterwards, the flow is unchanged and nothing is open; only the undo history is longer.
 */
export async function editingRound(page: Page, round: number): Promise<void> {
  const onCanvas = async (...keys: readonly string[]): Promise<void> => {
    await page.locator(".canvas").focus();
    for (const key of keys) await page.keyboard.press(key);
  };
  await onCanvas("1", "Home", "ArrowDown", ...Array<string>(round % 5).fill("ArrowRight"), "2");
  await pan(page);
  await onCanvas("Alt+ArrowDown", "Alt+ArrowDown", "Control+z", "Control+Shift+z", "Alt+ArrowUp", "Alt+ArrowUp");
  await onCanvas("Control+d", "Alt+ArrowDown", "Delete", "1", "Home", "ArrowDown", "2");
  await typeTexts(page);
  for (const name of panels) await openAndClose(page, name, `.panel.is-${name.toLowerCase()} :not(.panel-title)`);
  await openAndClose(page, "Preview", ".panel.is-preview iframe", () =>
    page.frameLocator(".panel.is-preview iframe").getByRole("textbox").waitFor(),
  );
  await searchAndLeave(page);
  await onCanvas("Control+.");
  await page.locator(".outline-row").first().waitFor();
  await page.keyboard.press("Control+.");
  await page.locator(".canvas-card").first().waitFor();
  await page.locator(".saving-state.is-saved").waitFor();
}

async function pan(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let turn = 0; turn < 20; turn++) {
      const deltaX = turn < 10 ? 60 : -60;
      document
        .querySelector(".canvas")
        ?.dispatchEvent(new WheelEvent("wheel", { deltaX, deltaY: 1, cancelable: true }));
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });
}

/** Appends a letter to the title of the card and to its first text, and removes the letters. */
async function typeTexts(page: Page): Promise<void> {
  await page.locator(".canvas").focus();
  await page.keyboard.press("F2");
  const title = page.getByLabel("Title of the group");
  await title.press("End");
  await title.press("x");
  await title.press("Backspace");
  await page.locator(".canvas-card.is-chosen .canvas-row").first().click();
  const text = page.getByRole("textbox", { name: "Text", exact: true });
  await text.press("End");
  await text.press("x");
  await text.press("Backspace");
  await page.getByRole("button", { name: "Block", exact: true }).click();
  await page.locator(".panel.is-block").waitFor({ state: "detached" });
}

async function openAndClose(
  page: Page,
  name: string,
  shown: string,
  untilThere: () => Promise<void> = async () => {},
): Promise<void> {
  const button = page.getByRole("button", { name, exact: true });
  await button.click();
  await page.locator(shown).first().waitFor();
  await untilThere();
  await button.click();
  await page.locator(shown).first().waitFor({ state: "detached" });
}

/** Opens and closes the search in the flow, the command palette, and the list of shortcuts. */
async function searchAndLeave(page: Page): Promise<void> {
  await page.locator(".canvas").focus();
  await page.keyboard.press("Control+f");
  await page.getByRole("searchbox", { name: "Find in this flow" }).waitFor();
  await page.keyboard.type("said");
  await page.keyboard.press("Escape");
  for (const key of ["Control+k", "?"]) {
    await page.locator(".canvas").focus();
    await page.keyboard.press(key);
    await page.locator("dialog[open]").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("dialog[open]").waitFor({ state: "detached" });
  }
}
