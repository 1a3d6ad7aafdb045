import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { axeProblems } from "../support/axe.ts";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { openOtherSite } from "../support/host-page.ts";
import { answer, openChat } from "../support/live-page.ts";

// Tests head code of imported bots that adds a bar above the chat, or that uses an element of their former page.

let host: ChatHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();
const phone = { viewport: { width: 390, height: 700 }, reducedMotion: "reduce" } as const;

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

const bar =
  "var b=document.createElement('div');b.className='bar';b.textContent='MY HEADER';b.style.cssText='height:60px;background:#333;color:#fff';";
const next = "document.querySelector('#__next')";
const root = "document.querySelector('typebot-standard').shadowRoot";

const bars = [
  `<script>${bar}var p=${next};if(p)p.insertBefore(b,p.firstChild);</script>`,
  `<script>${bar}document.getElementById('__next').prepend(b)</script>`,
  `<script>document.addEventListener('x',function(){});setTimeout(function(){${bar}${next}.prepend(b)},0)</script>`,
  `<script>var t=setInterval(function(){var p=${next};if(!p)return;clearInterval(t);${bar}p.insertAdjacentElement('afterbegin',b)},20)</script>`,
  `<script>${bar}${next}.insertAdjacentElement('beforebegin',b)</script>`,
];

async function publish(customHeadCode: string): Promise<string> {
  const flow = flowOf([
    says("Your name?"),
    asks("text input"),
    says("Your town?"),
    asks("text input", {}, { id: "town" }),
  ]);
  return (
    await host.publish({ ...flow, settings: { metadata: { customHeadCode }, typingEmulation: { enabled: false } } })
  ).address;
}

/** Expects the bar above the chat, and the chat's dock within the window. */
async function expectBar(page: Page): Promise<void> {
  await page.locator(".bar").waitFor();
  const places = await page.evaluate(() => {
    const place = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
    return {
      bar: place(".bar"),
      view: place(".typebot-chat-view"),
      dock: place(".chat-dock"),
      height: innerHeight,
      page: document.documentElement.scrollHeight,
    };
  });
  expect(places.bar?.height).toBe(60);
  expect(places.bar?.top).toBe(0);
  expect(places.view?.top).toBeGreaterThanOrEqual(60);
  expect(Math.round(places.dock?.bottom ?? 0)).toBeLessThanOrEqual(places.height);
  // If the bar is in the element around the chat, nothing needs to be scrolled.
  if (await page.locator("#__next > .bar").count()) expect(places.page).toBe(places.height);
}

for (const [index, code] of bars.entries()) {
  const inThisRun = index < 2 ? inBrowser : inLongRun;
  inThisRun(
    `a bar stays above the chat through answers, a reload and going back: ${code.slice(8, 60)}`,
    async ({ page, problems }) => {
      await openChat(page, await publish(code));
      await expectBar(page);
      await answer(page, "Ana");
      await page.getByText("Your town?").waitFor();
      await expectBar(page);
      await page.reload();
      await page.getByText("Your town?").waitFor();
      await expectBar(page);
      await page.goto("about:blank");
      await page.goBack();
      await page.getByText("Your town?").waitFor();
      await expectBar(page);
      expect(await page.locator(".bar").count()).toBe(1);
      expect(problems).toEqual([]);
    },
    phone,
  );
}

const reaches = [
  [
    `<script>var s=document.createElement('style');s.textContent='.typebot-container{background:rgb(1,2,3)!important}';${root}.appendChild(s)</script>`,
  ],
  [
    `<script>var s=new CSSStyleSheet();s.replaceSync('.typebot-container{background:rgb(1,2,3)!important}');${root}.adoptedStyleSheets=[s]</script>`,
  ],
  [
    `<script>var s=new CSSStyleSheet();s.replaceSync('.typebot-container{background:rgb(1,2,3)!important}');var r=${root};r.adoptedStyleSheets=r.adoptedStyleSheets.concat(s)</script>`,
  ],
  [`<script>${root}.querySelector('.typebot-container').style.background='rgb(1,2,3)'</script>`],
  [
    `<script>${root}.querySelectorAll('.typebot-container').forEach(function(e){e.style.background='rgb(1,2,3)'})</script><noscript><img height="1" src="https://tags.example/1.gif"></noscript>`,
  ],
] as const;

for (const [index, [code]] of reaches.entries()) {
  const inThisRun = index < 2 ? inBrowser : inLongRun;
  inThisRun(
    `head code reaches the chat through the element of the previous product's page: ${code.slice(8, 70)}`,
    async ({ page, problems, outside }) => {
      await openChat(page, await publish(code));
      const ground = () =>
        page.locator(".typebot-container").evaluate((element) => getComputedStyle(element).backgroundColor);
      await page.waitForFunction(() => getComputedStyle(document.body).backgroundColor === "rgb(1, 2, 3)");
      expect(await ground()).toBe("rgb(1, 2, 3)");
      await answer(page, "Ana");
      await page.getByText("Your town?").waitFor();
      expect({ problems, outside }).toEqual({ problems: [], outside: [] });
    },
  );
}

inBrowser("head code that waits for load events runs once each time a page opens", async ({ page, problems }) => {
  const notes = `<script>function note(n){return function(e){(window.seen=window.seen||[]).push(n+" "+e.type)}}
document.addEventListener("DOMContentLoaded",note("a"));window.addEventListener("load",{handleEvent:note("b")});window.onload=note("c");
window.addEventListener("DOMContentLoaded",note("never"));document.addEventListener("mine",note("d"));window.addEventListener("mine",note("e"),{once:true});</script>
<script>window.addEventListener("load",null);document.addEventListener("DOMContentLoaded",note("f"));
var watching=new MutationObserver(function(){if(document.querySelector("#__next")){watching.disconnect();note("g")({type:"change"})}});watching.observe(document.documentElement,{childList:true,subtree:true})</script>`;
  const seen = () => page.evaluate(() => [...Reflect.get(window, "seen")].sort());
  const all = ["a DOMContentLoaded", "b load", "c load", "f DOMContentLoaded", "g change"];
  await openChat(page, await publish(notes));
  await page.waitForFunction(() => Reflect.get(window, "seen")?.length >= 5);
  expect(await seen()).toEqual(all);
  await page.evaluate(() => {
    for (let turn = 0; turn < 2; turn++) for (const one of [document, window]) one.dispatchEvent(new Event("mine"));
    return [document, window].map((one) => Object.hasOwn(one, "addEventListener"));
  });
  expect(await seen()).toEqual([...all.slice(0, 3), "d mine", "d mine", "e mine", ...all.slice(3)]);
  await answer(page, "Ana");
  await page.getByText("Your town?").waitFor();
  await page.reload();
  await page.waitForFunction(() => Reflect.get(window, "seen")?.length >= 5);
  expect(await seen()).toEqual(all);
  expect(problems).toEqual([]);
});

inLongRun(
  "a bar of head code has its styles from attributes and elements, and no tag writes to the console",
  async ({ page, problems, outside }) => {
    const styled = `<script>var s=document.createElement('style');s.textContent='.bar b{color:rgb(1,2,3)}';document.head.appendChild(s);
${bar}b.innerHTML='<noscript></noscript><b>A</b><i style="color:rgb(4,5,6)">B</i>';${next}.prepend(b)</script>
<noscript><iframe src="https://tags.example/ns.html" height="0" width="0" style="display:none;visibility:hidden"></iframe></noscript>
<noscript><img style="display:none" src="https://tags.example/1.gif"></noscript>`;
    await openChat(page, await publish(styled));
    await page.locator(".bar").waitFor();
    const colors = await page.evaluate(() =>
      [".bar b", ".bar i"].map((name) => getComputedStyle(document.querySelector(name) ?? document.body).color),
    );
    expect(colors).toEqual(["rgb(1, 2, 3)", "rgb(4, 5, 6)"]);
    expect({ problems, outside }).toEqual({ problems: [], outside: [] });
    const plain = await fetch(await publish(""));
    expect(plain.headers.get("content-security-policy")).not.toContain("unsafe-inline");
  },
);

inBrowser("the Typebot element has a shadow root that tools can inspect", async ({ page, problems }) => {
  const watches = `<script>new MutationObserver(function(){}).observe(${root},{childList:true,subtree:true})</script>`;
  await openChat(page, await publish(watches));
  await page.locator("typebot-standard").waitFor({ state: "attached" });
  expect(await axeProblems(page, { only: ["color-contrast"] })).toEqual([]);
  const members = await page.evaluate(() => {
    const { shadowRoot } = document.querySelector("typebot-standard") ?? {};
    if (!shadowRoot) return undefined;
    const lacking = ["getElementById", "append", "prepend", "insertBefore", "innerHTML", "elementFromPoint"];
    return {
      isRoot: shadowRoot instanceof ShadowRoot,
      isEmpty: [shadowRoot.childNodes.length, shadowRoot.children.length],
      lacking: lacking.filter((name) => Reflect.get(shadowRoot, name) === undefined),
    };
  });
  expect(members).toEqual({
    ...{ isRoot: true, isEmpty: [0, 0] },
    lacking: ["getElementById", "append", "prepend", "insertBefore", "innerHTML", "elementFromPoint"],
  });
  expect(problems).toEqual([]);
});

inBrowser("head code adds no Typebot element to a page of another site", async ({ page }) => {
  const site = openOtherSite();
  try {
    const code = `<script>document.title="ran";${root}.querySelector("body").style.background="red"</script>`;
    const publicId = new URL(await publish(code)).pathname.slice(1);
    const head = `<script src="${host.origin}/embed.js" defer></script>`;
    await page.goto(site.page(`<parley-chat bot="${publicId}"></parley-chat>`, { head }));
    await page.locator("parley-chat .text-input").waitFor();
    await page.waitForFunction(() => document.title === "ran");
    expect(await page.locator("typebot-standard").count()).toBe(0);
    expect(await page.evaluate(() => document.body.style.background)).toBe("");
  } finally {
    await site.close();
  }
});

inBrowser("head code that throws or makes a refused change does not affect the chat", async ({ page }) => {
  await openChat(
    page,
    await publish(`<script>throw new Error("mine")</script><script>${bar}${next}.prepend(b)</script>`),
  );
  await expectBar(page);
  const refused = `<script>try{${root}.appendChild(document.createElement('div'))}catch(e){document.title=e.message}</script>`;
  await openChat(page, await publish(refused));
  await page.waitForFunction(() => document.title.endsWith("not <div>. Add the element to #__next."));
  await answer(page, "Ana");
  await page.getByText("Your town?").waitFor();
});

/** Code with unintended effects: the chat must work after a reload, and the service must be unaffected. */
const spoilers = [
  ["removes the element around the chat", `<script>${next}.remove()</script>`],
  ["empties the page", `<script>document.body.innerHTML=''</script>`],
  ["rewrites the document", `<script>document.open();document.write('<p>Mine</p>');document.close()</script>`],
] as const;

inBrowser("head code that destroys its chat page does not affect other pages", async ({ page, context }) => {
  for (const [name, code] of spoilers) {
    const address = await publish(code);
    await page.goto(address);
    await page.waitForFunction(() => !document.querySelector("#__next .typebot-chat-view"));
    const other = await context.newPage();
    await openChat(other, await publish(""));
    await answer(other, name);
    await other.getByText("Your town?").waitFor();
    await other.close();
    const drawn = await (await fetch(address)).text();
    expect([name, drawn.includes("Your name?")]).toEqual([name, true]);
  }
});

inLongRun("slow head code, and head code that inserts itself repeatedly, leave a usable chat", async ({ page }) => {
  const long = "<script>for(var end=Date.now()+1500;Date.now()<end;);</script>";
  const again = `<script>setInterval(function(){var s=document.createElement('script');s.textContent='window.turns=(window.turns||0)+1';document.head.appendChild(s)},5)</script>`;
  for (const code of [long, again]) {
    await openChat(page, await publish(code));
    await answer(page, "Ana");
    await page.getByText("Your town?").waitFor();
  }
  // Endless code only blocks its own page. The rendered content is present, and its form works without scripts.
  const drawn = await (await fetch(await publish("<script>for(;;);</script>"))).text();
  expect(drawn).toContain("Your name?");
  expect(drawn).toContain("<form");
});
