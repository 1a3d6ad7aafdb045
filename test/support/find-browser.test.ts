import { afterEach, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inBothBrowsers } from "./both-browsers.ts";

const root = join(import.meta.dir, "..", "..");
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Returns the default browser and the second browser on a machine with these programs. */
async function browsersOf(names: readonly string[], named?: string): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), "browsers-"));
  folders.push(folder);
  for (const name of names) {
    writeFileSync(join(folder, name), "");
    chmodSync(join(folder, name), 0o755);
  }
  const script = `
    import { findBrowser, findOtherBrowser } from ${JSON.stringify(join(import.meta.dir, "find-browser.ts"))};
    console.log(JSON.stringify([findBrowser() ?? null, findOtherBrowser() ?? null]));`;
  const child = Bun.spawn([process.execPath, "-e", script], {
    env: { PATH: folder, ...(named !== undefined && { CHROMIUM_PATH: named }) },
    stdout: "pipe",
  });
  const found: unknown = JSON.parse(await child.stdout.text());
  return JSON.parse(JSON.stringify(found).replaceAll(`${folder}/`, ""));
}

test.skipIf(process.platform === "darwin")(
  "the headless shell is the default browser, and a full browser is the second browser if both exist",
  async () => {
    expect(await browsersOf(["chromium", "chromium-headless-shell"])).toEqual(["chromium-headless-shell", "chromium"]);
    expect(await browsersOf(["chromium-headless-shell"])).toEqual(["chromium-headless-shell", null]);
    expect(await browsersOf(["google-chrome"])).toEqual(["google-chrome", null]);
    expect(await browsersOf(["chromium", "chromium-headless-shell"], "/opt/chrome")).toEqual(["/opt/chrome", null]);
    expect(await browsersOf([])).toEqual([null, null]);
  },
);

test("every file that runs in both browsers contains browser tests", () => {
  const others = inBothBrowsers.filter((file) => {
    const path = join(root, file);
    return (
      !existsSync(path) ||
      (!readFileSync(path, "utf8").includes("inBrowser(") && !readFileSync(path, "utf8").includes("browserTest("))
    );
  });
  expect(others).toEqual([]);
});
