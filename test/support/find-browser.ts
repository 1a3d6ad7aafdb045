import { accessSync, constants } from "node:fs";

const headlessShell = "chromium-headless-shell";
const full = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const onMacOS = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/**
 * The system's Chromium, or the one in CHROMIUM_PATH. Playwright's own download is not used, since the system's gets
 * security updates. Its headless shell is the same engine without windows: a page takes 250 ms of processor time
 * instead of 600.
 */
export function findBrowser(): string | undefined {
  const named = process.env["CHROMIUM_PATH"];
  if (named !== undefined && named !== "") return named;
  return Bun.which(headlessShell) ?? findFullBrowser();
}

/**
 * The full browser, if tests run in the headless shell: it gives a frame of another origin a process of its own, and
 * scrolls the page around the frame when an element inside gets the focus. Undefined if there is only one browser, or
 * if one is named.
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
