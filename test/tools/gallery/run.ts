import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium, type Page } from "playwright-core";
import { findBrowser } from "../../support/find-browser.ts";
import { type Cell, cellName, sheetNames } from "./cell.ts";
import { fileResponse } from "./files.ts";
import { allCells, baseCells, pairCells } from "./pairs.ts";
import { type GalleryServer, openGallery } from "./server.ts";
import { axeOnSheet, type Outcome, openSheet, sheetAsPage } from "./sheet.ts";
import { subjects } from "./subjects/index.ts";
import { frames, windowCells } from "./windows.ts";

/**
 * The program of `npm run gallery`. It renders every bubble, input and state of the chat page on contact sheets, as
 * pages and as pictures, in `dist/gallery`, and prints the problems of their styles and, on the sheets, the findings of
 * axe-core.
 *
 *     npm run gallery                            12 sheets: each state in light at 390, and other looks by pairs; then 30 of
 *                                                whole windows: every input at 320, 390, 768 and 1440, in light, dark, RTL, with
 *                                                text of 200 % and in forced colours; over a picture, embedded, zoomed
 *     npm run gallery -- --only rating           one sheet, or the cells whose names contain this text: --only "stars filled"
 *     npm run gallery -- --all                   every state in every look, without pictures: prints only the problems
 */
const { values } = parseArgs({
  options: { only: { type: "string" }, all: { type: "boolean" } },
  allowPositionals: false,
});
const cellsAtOnce = 40;
const folder = join(import.meta.dir, "../../../dist/gallery");
const executablePath = findBrowser();
if (executablePath === undefined) throw new Error("No Chromium here; CHROMIUM_PATH may name one");

const { only = "" } = values;
const isSought = (cell: Cell) =>
  cell.subject.sheet === only || cell.frame?.name === only || cellName(cell).includes(only);
const cells = (values.all ? allCells(subjects) : [...baseCells(subjects), ...pairCells(subjects)]).filter(isSought);
const sheets = [
  ...sheetNames.map((name) => ({
    name,
    shown: cells.filter(({ subject }) => subject.sheet === name),
    hasForcedColors: false,
  })),
  ...frames.map((frame) => ({
    name: frame.name,
    shown: windowCells(subjects, frame).filter(isSought),
    hasForcedColors: frame.hasForcedColors ?? false,
  })),
].filter(({ shown }) => shown.length > 0);
if (sheets.length === 0)
  throw new Error(
    `No sheet and no cell is called "${only}". Sheets: ${[...sheetNames, ...frames.map(({ name }) => name)].join(", ")}`,
  );

const startedAt = performance.now();
const gallery = await openGallery();
const browser = await chromium.launch({ executablePath });
try {
  const page = await browser.newPage({
    viewport: { width: 1656, height: 1000 },
    reducedMotion: "reduce",
    locale: "en",
  });
  // A busy machine takes a long time to render forty pages.
  page.setDefaultTimeout(180_000);
  const outcomes = values.all ? await look(page, gallery) : await draw(page, gallery);
  report(outcomes);
} finally {
  await browser.close();
  await gallery.close();
}

async function draw(page: Page, { sheet, origin }: GalleryServer): Promise<Outcome[]> {
  if (only === "") rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const outcomes: Outcome[] = [];
  for (const { name, shown, hasForcedColors } of sheets) {
    await page.emulateMedia({ forcedColors: hasForcedColors ? "active" : "none" });
    const opened = await openSheet(page, sheet(name, shown));
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true, caret: "hide" });
    await Bun.write(join(folder, `${name}.html`), await withPictures(await sheetAsPage(page), origin));
    // Windows are not checked with axe. It would find the same problems as in the cells of the first sheets, and would
    // take most of the time.
    const axe = name.startsWith("window") ? undefined : await axeOnSheet(page);
    outcomes.push(
      ...opened.map((one) => ({
        ...one,
        problems: [...one.problems, ...(axe ? (axe.get(one.name) ?? ["no axe"]) : [])],
      })),
    );
    process.stdout.write(`${join(folder, name)}.png\t${shown.length} cells\n`);
  }
  return outcomes;
}

function weightOf(drawn: string): string {
  if (values.all) return "";
  const bytes = readdirSync(drawn).reduce((sum, name) => sum + statSync(join(drawn, name)).size, 0);
  return `, ${Math.round(bytes / 1_000_000)} MB`;
}

async function look(page: Page, { sheet }: GalleryServer): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let first = 0; first < cells.length; first += cellsAtOnce) {
    const shown: Cell[] = cells.slice(first, first + cellsAtOnce);
    outcomes.push(...(await openSheet(page, sheet("chat", shown))));
  }
  return outcomes;
}

/** Embeds the pictures of the gallery's server into the page. */
async function withPictures(html: string, origin: string): Promise<string> {
  const names = new Set(
    [...html.matchAll(new RegExp(`${RegExp.escape(origin)}/files/([\\w.-]+\\.png)`, "g"))].map(
      ([, name]) => name ?? "",
    ),
  );
  let text = html;
  for (const name of names) {
    const drawing = await fileResponse(name).text();
    text = text.replaceAll(
      `${origin}/files/${name}`,
      drawing === "" ? "about:blank" : `data:image/svg+xml,${encodeURIComponent(drawing)}`,
    );
  }
  return text;
}

function report(outcomes: readonly Outcome[]): void {
  const missed = outcomes.filter(({ reached }) => reached !== "done");
  for (const { name, reached } of missed) process.stdout.write(`not reached: ${name}: ${reached}\n`);
  const byProblem = Map.groupBy(
    outcomes.flatMap(({ name, problems }) => problems.map((problem) => ({ name, problem }))),
    ({ problem }) => problem,
  );
  for (const [problem, found] of byProblem) {
    process.stdout.write(
      `${problem}\n    in ${found.length}: ${found
        .slice(0, 3)
        .map(({ name }) => name)
        .join("; ")}\n`,
    );
  }
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  process.stdout.write(`${outcomes.length} cells, ${byProblem.size} problems, ${seconds} s${weightOf(folder)}\n`);
  if (missed.length > 0) process.exitCode = 1;
}
