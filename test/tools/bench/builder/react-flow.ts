import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { sizes } from "../../../../src/web/app/canvas/scene/geometry.ts";
import { nameOf, placeOf, type Shape, shapes, startsAt, wordsOf } from "./flows.ts";
import { type Follower, openPage, type View } from "./stage.ts";

/**
 * The packages with which the builder's canvas is compared, with exact versions. They are no dependencies of the
 * project. The benchmark downloads them into a folder that is removed when the run ends.
 */
export const packages = { "@xyflow/react": "12.12.1", react: "19.3.1", "react-dom": "19.3.1" };

export type ReactFlow = {
  stage(browser: Browser, shape: Shape): Follower;
  close(): Promise<void>;
};

/**
 * Downloads React Flow, builds a production page and serves it. With `drawsAll`, everything is rendered, otherwise only
 * the visible part. Throws an error with a message if the download fails.
 */
export async function openReactFlow({ drawsAll }: { readonly drawsAll: boolean }): Promise<ReactFlow> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-react-flow-"));
  try {
    await install(folder);
    const server = serve(await build(folder));
    return {
      stage: (browser, shape) =>
        drawsAll
          ? stageOf(browser, new URL(`?flow=${indexOf(shape)}`, server.url), "React Flow, all drawn")
          : stageOf(browser, new URL(`?flow=${indexOf(shape)}&visible`, server.url), "React Flow"),
      async close() {
        await server.stop(true);
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

function stageOf(browser: Browser, address: URL, name: string): Follower {
  return {
    name,
    ground: ".react-flow__pane",
    open: () => openPage(browser, address.href, { shown: ".react-flow__node" }),
    // Matches the factor in React Flow's own pinch handler, except on macOS.
    pinchPixels: (power) => -power / (0.002 * Math.LN2),
    async show(page, view) {
      await ask(page, "show", view);
      await page.waitForTimeout(300);
    },
    chooseAll: (page) => ask(page, "chooseAll"),
    async chooseNone(page) {
      await ask(page, "chooseNone");
      await page.waitForTimeout(300);
    },
  };
}

function ask(page: Page, name: string, view?: View): Promise<void> {
  return page.evaluate(([called, given]) => Reflect.get(window, called)(given), [name, view] as const);
}

async function install(folder: string): Promise<void> {
  await Bun.write(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: packages }));
  const command = [process.execPath, "install", "--ignore-scripts", "--no-progress"];
  const installing = Bun.spawn(command, { cwd: folder, stdout: "ignore", stderr: "pipe" });
  const said = await new Response(installing.stderr).text();
  if ((await installing.exited) === 0) return;
  const wanted = Object.entries(packages).map((each) => each.join("@"));
  const why = said.split("\n").find((line) => line.startsWith("error")) ?? said.trim();
  throw new Error(
    `${wanted.join(", ")} could not be fetched from the npm registry (${why}): without a network, leave out --beside.`,
  );
}

async function build(folder: string): Promise<ReadonlyMap<string, string>> {
  // Packages are resolved from the folder of the importing file.
  for (const name of ["react-flow-page.ts", "react-flow-style.css"])
    await copyFile(join(import.meta.dir, name), join(folder, name));
  const { outputs } = await Bun.build({
    entrypoints: [join(folder, "react-flow-page.ts"), join(folder, "react-flow-style.css")],
    target: "browser",
    minify: true,
    naming: "[name].[ext]",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const files = outputs.map(async (output) => [output.path.replace(/^.*\//, ""), await output.text()] as const);
  return new Map(await Promise.all(files));
}

function serve(files: ReadonlyMap<string, string>): Bun.Server<undefined> {
  const links = [...files.keys()].map((name) =>
    name.endsWith(".css")
      ? `<link rel="stylesheet" href="/${name}">`
      : `<script type="module" src="/${name}"></script>`,
  );
  const page = `<!doctype html><meta charset="utf-8"><title>React Flow</title>${links.join("")}<div id="root"></div>`;
  // Each file is compressed once, like the files of a release.
  const answer = (text: string, type: string) => {
    const body = brotliCompressSync(text);
    return () => new Response(body, { headers: { "Content-Type": type, "Content-Encoding": "br" } });
  };
  const answers = new Map([
    ["/", answer(page, "text/html; charset=utf-8")],
    ...shapes.map(
      (shape, index) => [`/flow/${index}`, answer(JSON.stringify(nodesOf(shape)), "application/json")] as const,
    ),
    ...[...files].map(
      ([name, text]) =>
        [`/${name}`, answer(text, name.endsWith(".css") ? "text/css" : "text/javascript; charset=utf-8")] as const,
    ),
  ]);
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => answers.get(new URL(url).pathname)?.() ?? new Response("Not found", { status: 404 }),
  });
}

function indexOf(shape: Shape): number {
  return shapes.findIndex((one) => nameOf(one) === nameOf(shape));
}

/**
 * Returns the flow of `flowOf` as cards with sizes, and edges. With the sizes, a card need not be measured before it is
 * rendered.
 */
function nodesOf({ groups, blocks }: Shape): object {
  const size = { width: sizes.card, height: sizes.title + blocks * sizes.row[0] + sizes.foot };
  const inlet = { type: "target", position: "left", x: 0, y: sizes.title / 2, width: 1, height: 1 };
  const outletAt = (x: number, y: number) => ({ type: "source", position: "right", x, y, width: 1, height: 1 });
  const start = {
    ...{ id: "start", type: "card", position: startsAt, ...sizes.event, measured: sizes.event },
    data: { title: "Start", rows: [] },
    handles: [inlet, outletAt(sizes.event.width, sizes.event.height / 2)],
  };
  const cards = Array.from({ length: groups }, (_, group) => ({
    ...{ id: `g${group}`, type: "card", ...size, measured: size },
    position: placeOf(group),
    data: { title: `Group ${group}`, rows: Array.from({ length: blocks }, (__, block) => wordsOf(group, block)) },
    handles: [inlet, outletAt(sizes.card, size.height - sizes.foot - sizes.row[0] / 2)],
  }));
  const edges = cards.map(({ id }, group) => ({
    ...{ id: `e${group}`, source: group === 0 ? "start" : `g${group - 1}`, target: id },
  }));
  return { nodes: [start, ...cards], edges };
}
