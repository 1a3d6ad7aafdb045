import { createServer, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { isJsonObject, type JsonObject, textAt } from "../../../src/core/interpreter/flow.ts";
import { closeServer, type FakePerson, type FakeTelegram, listen, startFakeTelegram } from "../telegram.ts";
import { type FakeWebhook, startFakeWebhook } from "../webhook.ts";
import { createOwnScreen } from "./own-screen.ts";
import type { PhoneButton, Screen } from "./screen.ts";
import { createTelegramScreen } from "./telegram-screen.ts";

/** Fake messengers, and a page with a phone on which people can try their bots. */
export type FakeChannels = {
  readonly telegram: FakeTelegram;
  readonly own: FakeWebhook;
  readonly url: string;
  close(): Promise<void>;
};

export const people: readonly FakePerson[] = [
  { id: 41, firstName: "Ana", username: "ana", language: "en" },
  { id: 42, firstName: "Ben", username: "ben", language: "de" },
  { id: 43, firstName: "Chloé", language: "fr" },
];

/**
 * Starts the page at `port`, Telegram at the next port, and the user's own app at the port after that. With 0, free
 * ports are used.
 */
export async function startFakeChannels({ port = 0 }: { readonly port?: number } = {}): Promise<FakeChannels> {
  const at = (place: number) => (port === 0 ? 0 : port + place);
  const telegram = await startFakeTelegram({ username: "fake_tea_bot", port: at(1) });
  const own = await startFakeWebhook({ port: at(2) });
  const screens: Readonly<Record<string, Screen>> = {
    telegram: createTelegramScreen(telegram, Date.now),
    own: createOwnScreen(own),
  };
  const files = await filesOf({
    ...{ telegramUrl: telegram.url, token: telegram.token, ownUrl: own.url },
    people: people.map(({ id, firstName }) => ({ id, firstName })),
  });
  const server = createServer((request, response) => {
    answer(request, { screens, files, own })
      .catch((error: unknown) => json(500, { message: error instanceof Error ? error.message : String(error) }))
      .then(({ status, type, body }) => {
        response.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store" });
        response.end(body);
      })
      .catch(() => response.destroy());
  });
  const url = await listen(server, port).catch(async (error: unknown) => {
    await Promise.all([telegram.close(), own.close()]);
    throw error;
  });
  return {
    ...{ telegram, own, url },
    async close() {
      await Promise.all([closeServer(server), telegram.close(), own.close()]);
    },
  };
}

type Answer = { readonly status: number; readonly type: string; readonly body: string };
type Files = ReadonlyMap<string, Answer>;
type Around = { readonly screens: Readonly<Record<string, Screen>>; readonly files: Files; readonly own: FakeWebhook };

async function answer(request: IncomingMessage, { screens, files, own }: Around): Promise<Answer> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://phone");
  const file = files.get(pathname);
  if (file) return file;
  const given: JsonObject = request.method === "POST" ? await bodyOf(request) : Object.fromEntries(searchParams);
  if (pathname === "/own") {
    own.connect(textAt(given, "webhookUrl") ?? "");
    own.secret = textAt(given, "secret") ?? "";
    return json(200, {});
  }
  const screen = screens[textAt(given, "messenger") ?? ""];
  const person = people.find(({ id }) => id === Number(given["person"]));
  if (!screen || !person) return json(404, { message: "There is no such phone." });
  switch (pathname) {
    case "/shown":
      return json(200, screen.read(person));
    case "/write":
      await screen.write(person, textAt(given, "text") ?? "");
      return json(200, {});
    case "/press":
      await screen.press(person, textAt(given, "messageId") ?? "", buttonOf(given["button"]));
      return json(200, {});
    default:
      return json(404, { message: "There is no such page." });
  }
}

function buttonOf(given: unknown): PhoneButton {
  const data = textAt(given, "data");
  return {
    title: textAt(given, "title") ?? "",
    ...(data !== undefined && { data }),
    ...(isJsonObject(given) && given["sharesNumber"] === true && { sharesNumber: true }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
  return isJsonObject(body) ? body : {};
}

function json(status: number, body: object): Answer {
  return { status, type: "application/json", body: JSON.stringify(body) };
}

async function filesOf(facts: object): Promise<Files> {
  const here = import.meta.dir;
  const built = await Bun.build({ entrypoints: [join(here, "page.tsx")], target: "browser", minify: true });
  const script = await built.outputs[0]?.text();
  const style = await Bun.file(join(here, "page.css")).text();
  const known = JSON.stringify(facts).replaceAll("<", "\\u003c");
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>A phone with fake messengers</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
</head>
<body>
<script type="application/json" id="facts">${known}</script>
<script type="module" src="/page.js"></script>
</body>
</html>`;
  return new Map([
    ["/", { status: 200, type: "text/html; charset=utf-8", body: page }],
    ["/page.js", { status: 200, type: "text/javascript; charset=utf-8", body: script ?? "" }],
    ["/page.css", { status: 200, type: "text/css; charset=utf-8", body: style }],
  ]);
}
