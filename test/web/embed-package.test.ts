import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { buildEmbedPackage } from "../../src/build/embed.ts";
import { browserTests } from "../support/browser.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type OtherSite, openOtherSite } from "../support/host-page.ts";

let service: ChatHost;
let site: OtherSite;
let bot: string;
const folder = temporaryFolder();
const project = folder.path;
const inBrowser = browserTests();
const root = join(import.meta.dir, "../..");

beforeAll(async () => {
  service = await openChatHost();
  site = openOtherSite();
  ({ publicId: bot } = await service.publish(flowOf([says("Hello"), asks("text input"), says("Thank you")])));
  const modules = join(project, "node_modules");
  await mkdir(modules);
  await buildEmbedPackage(join(modules, "parley-embed"));
  for (const name of ["react", "react-dom", "scheduler", "vue", "@vue", "@types"]) {
    await symlink(join(root, "node_modules", name), join(modules, name));
  }
});
afterAll(async () => {
  await site.close();
  await service.close();
  folder.remove();
});

/** Creates a page of another site, whose script a bundler has built from the source. */
async function pageOf(name: string, source: string): Promise<string> {
  const file = join(project, name);
  await Bun.write(file, source);
  const define = {
    "process.env.NODE_ENV": '"production"',
    ...{ __VUE_OPTIONS_API__: "false", __VUE_PROD_DEVTOOLS__: "false" },
    __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
  };
  const { outputs } = await Bun.build({ entrypoints: [file], target: "browser", define });
  const script = ((await outputs[0]?.text()) ?? "").replaceAll("</script", "<\\/script");
  return site.page(`<div id="app"></div><p id="below">Below</p><script type="module">${script}</script>`);
}

const wrapped = {
  react: () => `
    import { createElement, useState } from "react";
    import { createRoot } from "react-dom/client";
    import { ParleyChat } from "parley-embed/react";
    window.heard = [];
    function App() {
      const [label, setLabel] = useState("Ask us");
      const onAnswer = ({ message }) => { heard.push(message); setLabel("Thanks for " + message); };
      return createElement(ParleyChat, { host: "${service.origin}", bot: "${bot}", label, onAnswer, className: "ours" });
    }
    createRoot(document.getElementById("app")).render(createElement(App));`,
  vue: () => `
    import { createApp, h, ref } from "vue";
    import { ParleyChat } from "parley-embed/vue";
    window.heard = [];
    const label = ref("Ask us");
    const onAnswer = ({ message }) => { heard.push(message); label.value = "Thanks for " + message; };
    createApp({
      setup: () => () => h(ParleyChat, { host: "${service.origin}", bot: "${bot}", label: label.value, onAnswer, class: "ours" }),
    }).mount("#app");`,
};

for (const [name, source] of Object.entries(wrapped)) {
  inBrowser(
    `a page built with ${name} shows a chat, receives its events and changes the chat`,
    async ({ page, problems }) => {
      await page.goto(await pageOf(`${name}.js`, source()));
      await page.getByRole("region", { name: "Ask us" }).getByRole("textbox", { name: "Hello" }).fill("Ana");
      await page.keyboard.press("Enter");

      await page.getByRole("region", { name: "Thanks for Ana" }).getByText("Thank you").waitFor();
      expect(await page.evaluate((): unknown => Reflect.get(window, "heard"))).toEqual(["Ana"]);
      expect(await page.locator("parley-chat").getAttribute("class")).toBe("ours");
      expect(problems).toEqual([]);
    },
  );
}

inBrowser("a page built without a framework loads the script once", async ({ page }) => {
  const source = `
    import { loadParley } from "parley-embed";
    const chat = document.createElement("parley-chat");
    chat.setAttribute("bot", "${bot}");
    document.getElementById("app").append(chat);
    window.load = () => loadParley({ host: "${service.origin}/" }).then(() => "loaded", (error) => error.message);`;
  await page.route("**/embed.js", (route) => route.abort());
  await page.goto(await pageOf("plain.js", source));
  const load = () => page.evaluate<string>("load()");

  expect(await load()).toBe(`${service.origin}/embed.js could not be loaded`);
  const before = await page.locator("#below").boundingBox();
  await page.unroute("**/embed.js");
  expect(await load()).toBe("loaded");
  await page.getByRole("textbox", { name: "Hello" }).waitFor();
  expect(before?.y).toBeGreaterThan(600);
  expect(await page.locator("#below").boundingBox()).toEqual(before);
  expect(await load()).toBe("loaded");
  expect(await page.locator("script[src$='/embed.js']").count()).toBe(1);
});

test("the types of the package reject unknown values and commands", async () => {
  const source = `
    import { createElement } from "react";
    import { h } from "vue";
    import { loadParley } from "parley-embed";
    import { ParleyBubble } from "parley-embed/react";
    import { ParleyChat } from "parley-embed/vue";
    const host = "https://chat.example.com";
    export const loaded: Promise<void> = loadParley({ host });
    createElement(ParleyBubble, { host, bot: "a", openOnScroll: 60, onAnswer: ({ message }) => message.toUpperCase() });
    // @ts-expect-error: there is no such place
    createElement(ParleyBubble, { host, bot: "a", placement: "top" });
    h(ParleyChat, { host, bot: "a", onEnd: () => {} });
    document.querySelector("parley-popup")?.sendCommand("restart");
    // @ts-expect-error: there is no such command
    document.querySelector("parley-popup")?.dance();`;
  await Bun.write(join(project, "types.ts"), source);
  const options = [
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "--module",
    "preserve",
    "--lib",
    "ESNext,DOM",
    "--types",
    "react",
  ];
  const compiler = join(root, "node_modules/typescript/bin/tsc");

  const { exitCode, stdout } = Bun.spawnSync([process.execPath, compiler, ...options, join(project, "types.ts")], {
    cwd: project,
  });

  expect({ exitCode, said: stdout.toString() }).toEqual({ exitCode: 0, said: "" });
});
