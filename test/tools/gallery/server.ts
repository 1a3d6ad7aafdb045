import type { Threads } from "../../../src/chat/threads/threads.ts";
import { readConfig } from "../../../src/config.ts";
import { connect } from "../../../src/platform/database/sql.ts";
import { createLog } from "../../../src/platform/observing/log.ts";
import { createDependencies, type Dependencies } from "../../../src/service/dependencies.ts";
import { readStart } from "../../../src/web/conversation/step.ts";
import { loadAssets } from "../../../src/web/server/assets.ts";
import { respondWithChat } from "../../../src/web/server/chat-page.tsx";
import { type Cell, type CellPlan, cellName } from "./cell.ts";
import { fileResponse } from "./files.ts";
import { planOf } from "./plan.ts";

/**
 * A server of cells. Each cell is a chat page of the service whose script uses a stub of the service within the page.
 */
export type GalleryServer = {
  readonly origin: string;
  /** Serves a sheet of cells and returns its URL. */
  sheet(name: string, cells: readonly Cell[]): string;
  close(): Promise<void>;
};

export async function openGallery(): Promise<GalleryServer> {
  const sheets = new Map<string, string>();
  const cells = new Map<string, Cell>();
  const script = await buildScript();
  // Pages with a prepared first step query no database, so this pool never connects.
  const sql = connect("postgres://localhost:1/none", { connections: 1 });
  const config = readConfig({ LOG_LEVEL: "silent" });
  const made = createDependencies({ config, log: createLog(config.LOG_LEVEL), sql, threads: noThreads });
  // The key for the words of framed pages is stored in a database, so a fixed word replaces it.
  const pageWords = { ...made.pageWords, make: async () => "a word" };
  const deps = { ...made, pageWords };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, origin } = new URL(request.url);
      const [, folder = "", name = ""] = pathname.split("/");
      const cell = cells.get(name);
      if (folder === "sheet") return html(sheets.get(name) ?? "");
      if (folder === "cell" && cell)
        return cellPage(deps, request, { id: name, cell, plan: planOf(cell, name, origin), script });
      if (folder === "files") return fileResponse(name);
      const asset = (await loadAssets()).byName.get(pathname.slice(pathname.lastIndexOf("/") + 1));
      if (!asset) return new Response("", { status: 404 });
      return new Response(await asset.plain(), {
        headers: { "Content-Type": asset.contentType, "Cache-Control": "max-age=3600" },
      });
    },
  });
  const { origin } = server.url;
  return {
    origin,
    sheet(name, shown) {
      const figures = shown.map((cell) => {
        const id = `cell-${cells.size}`;
        cells.set(id, cell);
        return figure(cell, `/cell/${id}`);
      });
      const path = `${name}-${sheets.size}`;
      sheets.set(path, sheetPage(name, figures));
      return `${origin}/sheet/${path}`;
    },
    async close() {
      await server.stop(true);
      await sql.end({ timeout: 0 });
    },
  };
}

type Page = { readonly id: string; readonly cell: Cell; readonly plan: CellPlan; readonly script: string };

/** Returns the service's page with the script of the cell before the page's own script. */
async function cellPage(deps: Dependencies, request: Request, { id, cell, plan, script }: Page): Promise<Response> {
  // Content before the start of the chat has no session.
  const response = { ...plan.start, sessionId: null, resultId: null };
  const shown = {
    publicId: "gallery",
    name: "Gallery",
    botId: id,
    allowedOrigins: null,
    isAuthorCodeDisabled: false,
    bringsCode: false,
    response,
    ignoredVariables: [],
    start: { key: "", shown: "" },
    isPartial: false,
  };
  const page = await respondWithChat(deps, request, {
    home: { publicId: id, path: `/cell/${id}`, origin: new URL(request.url).origin, isOwnDomain: false },
    shown,
    snapshot: readStart(response),
    prefilled: {},
    key: crypto.randomUUID(),
  });
  const nonce = /'nonce-([^']+)'/.exec(page.headers.get("content-security-policy") ?? "")?.[1] ?? "";
  const planText = JSON.stringify(plan).replaceAll("<", "\\u003c");
  const ours = `<script type="application/json" id="gallery-plan">${planText}</script><script nonce="${nonce}">${script}</script><style nonce="${nonce}">html{font-size:${(cell.frame?.textSize ?? 1) * 100}%}</style>`;
  const text = (await page.text()).replace("<head>", () => `<head>${ours}`);
  return new Response(text, page);
}

async function buildScript(): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [`${import.meta.dir}/in-cell.ts`],
    target: "browser",
    format: "iife",
  });
  return ((await outputs[0]?.text()) ?? "").replaceAll("</script", "<\\/script");
}

function figure(cell: Cell, address: string): string {
  const name = cellName(cell).replaceAll('"', "&quot;");
  const { width, height } = cell.frame ?? { width: cell.look.width, height: firstHeight };
  const fixed = cell.frame ? "data-fixed" : "";
  return `<figure class="${width > 1000 ? "is-wide" : ""}"><figcaption>${name}</figcaption>
<div><iframe ${fixed} title="${name}" src="${address}" width="${width}" height="${height}"></iframe></div></figure>`;
}

/** The height of a phone, until the cell gets the height of its content. */
const firstHeight = 844;

function sheetPage(name: string, figures: readonly string[]): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${name}</title><link rel="icon" href="data:,">
<style>body{margin:16px;font:14px/1.4 system-ui,sans-serif;background:#fff;color:#222}h1{margin:0 0 12px;font-size:20px}
main{display:flex;flex-wrap:wrap;align-items:flex-start;gap:16px}figure{margin:0;width:390px}figure:has([width="320"]){width:320px}figure:has([width="360"]){width:360px}figure:has([width="768"]){width:768px}
figure.is-wide{width:796px}figcaption{margin-bottom:4px;font-size:13px}figure div{overflow:hidden;outline:1px solid #bbb}
figure.is-wide iframe{zoom:.5527}iframe{display:block;border:0}</style></head>
<body><h1>${name}</h1><main>${figures.join("\n")}</main></body></html>`;
}

function html(text: string): Response {
  return new Response(text, { headers: { "Content-Type": "text/html; charset=utf-8" } });
}

const noThreads: Threads = {
  advance: () => Promise.reject(new Error("The gallery has no worker threads")),
  advanceHere: () => undefined,
  inAnonymousLane: (_visitor, task) => task(),
  prove: () => Promise.reject(new Error("No thread holds test conversations here")),
  replay: () => Promise.reject(new Error("No thread replays chats here")),
  readBody: () => Promise.reject(new Error("No thread reads bodies here")),
  addressOf: () => Promise.reject(new Error("No thread finds addresses here")),
  usages: () => ({}),
  ready: async () => {},
  ping: async () => {},
  close: async () => {},
};
