import { accessSync, constants } from "node:fs";

const headlessShell = "chromium-headless-shell";
const full = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const onMacOS = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/**
 * Finds the system's Chromium, or uses CHROMIUM_PATH. Playwright's download is not used, because the system's browser
 * gets security updates. The headless shell is the same engine without windows: a page takes 250 ms of processor time
 * instead of 600.
 */
export function findBrowser(): string | undefined {
  const named = process.env["CHROMIUM_PATH"];
  if (named !== undefined && named !== "") return named;
  return Bun.which(headlessShell) ?? findFullBrowser();
}

/**
 * Finds the full browser if tests run in the headless shell. A full browser runs a frame of another origin in a
 * separate process, and scrolls the page around a frame when an element in the frame gets the focus. Returns undefined
 * if there is only one browser or CHROMIUM_PATH is set.
 */
export function findOtherBrowser(): string | undefined {
  const other = findFullBrowser();
  return other === findBrowser() || process.env["CHROMIUM_PATH"] ? undefined : other;
}

function findFullBrowser(): string | undefined {
  return full.map((name) => Bun.which(name)).find((path) => path !== null) ?? [onMacOS].find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
