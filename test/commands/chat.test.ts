import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { post } from "../../src/commands/chat/client.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { cleanupStack, runCommand } from "../support/service.ts";

setDefaultTimeout(60_000);

let host: ChatHost;
const cleanups = cleanupStack();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(async () => {
  await cleanups.run();
  await host.close();
});

async function chat(blocks: readonly object[], lines: string) {
  const { address } = await host.publish(flowOf(blocks));
  return await runCommand(["chat", address], { input: lines });
}

test("a chat runs in the terminal, from its first message to its end", async () => {
  const { exitCode, stdout, stderr } = await chat(
    [
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
      asks("text input", { variableId: idOf("Name") }),
      says("Hello **{{Name}}**"),
    ],
    "2\nAna\n",
  );

  expect(stdout).toBe(
    "Shall we?\n  1) Yes\n  2) No\nThe number of your choice: Your name?\nYour answer: Hello **Ana**\n",
  );
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "The chat has ended.\n" });
});

test("several choices are selected by number, and a file is sent by its path", async () => {
  const file = join(cleanups.folder(), "letter.txt");
  await Bun.write(file, "Dear all");

  const { stdout } = await chat(
    [
      {
        id: "choose",
        type: "choice input",
        items: [
          { id: "a", content: "Apples" },
          { id: "b", content: "Bread" },
          { id: "c", content: "Cheese" },
        ],
        options: { isMultipleChoice: true, variableId: idOf("Name") },
      },
      says("{{Name}}, and the letter?"),
      asks("file input", { variableId: idOf("Name") }),
      says("{{Name}}"),
    ],
    `1, 3\n${file}\n`,
  );

  expect(stdout).toContain("Apples, Cheese, and the letter?");
  expect(stdout).toMatch(/http:\S+\.txt\n$/);
});

test("a chat command ends quietly at the end of input, and reports an unknown bot", async () => {
  const left = await chat([asks("text input", {})], "");
  const unknown = await runCommand(["chat", "nothing", "--url", host.origin]);
  const nowhere = await runCommand(["chat", "nothing", "--url", "http://127.0.0.1:1"]);
  const wrong = await runCommand(["chat", "nothing", "--url", "ftp://127.0.0.1"]);

  expect(left).toEqual({ exitCode: 0, stdout: "Your answer: \n", stderr: "" });
  expect(unknown).toEqual({ exitCode: 1, stdout: "", stderr: "Bot not found.\n" });
  expect(nowhere.stderr).toBe(
    "No service responds at http://127.0.0.1:1: is it running there? (Use --url for another address.)\n",
  );
  expect(wrong.exitCode).toBe(2);
});

test("a refused request is retried only if its Retry-After is short", async () => {
  const asked: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const { pathname } = new URL(request.url);
      asked.push(pathname);
      if (pathname === "/soon" && asked.filter((path) => path === "/soon").length === 2)
        return Response.json({ ok: true });
      const seconds = pathname === "/soon" ? "0" : "301";
      return Response.json({ message: "Come back" }, { status: 429, headers: { "Retry-After": seconds } });
    },
  });
  const send = (path: string) => {
    const patience = { body: {}, isKnown: true, onWait: () => {} };
    return post({ url: server.url.origin, publicId: "any" }, path, patience);
  };

  await expect(send("/tomorrow")).rejects.toThrow("Come back");
  expect(await send("/soon")).toEqual({ ok: true });
  expect(asked).toEqual(["/tomorrow", "/soon", "/soon"]);
  await server.stop(true);
});
