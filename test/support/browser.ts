import { test } from "bun:test";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { isLong } from "./campaigns.ts";
import { findBrowser } from "./find-browser.ts";

/** The browser of a test: a profile of its own with one empty page. */
export type Visit = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Requests and sockets to other machines; all were refused, as without internet. */
  readonly outside: readonly string[];
  /**
   * The faults of the pages: uncaught errors, and errors on the console, such as refusals by a content security policy.
   */
  readonly problems: readonly string[];
};

/**
 * Like `test` of bun:test. `options` are those of a browser context: `viewport`, `javaScriptEnabled`, `colorScheme` …
 */
export type BrowserTest = (name: string, run: (visit: Visit) => Promise<void>, options?: BrowserContextOptions) => void;

/**
 * Tests in a real Chromium; call it once at the top of a test file. Machines without a browser skip these tests, and
 * their names say why.
 */
export function browserTests(): BrowserTest {
  const path = findBrowser();
  return (name, run, options = {}) => {
    if (path === undefined) {
      test.skip(`${name} (skipped: no Chromium here; CHROMIUM_PATH may name one)`, () => {});
      return;
    }
    const visit = async () => {
      const context = await (await openBrowser(path)).newContext(options);
      context.setDefaultTimeout(waitTimeoutMs);
      try {
        await run(await openPage(context));
      } finally {
        await context.close();
      }
    };
    test(name, visit, browserTestTimeoutMs);
  };
}

/** Like `browserTests`, but only in `npm run test:long`, like `longTest` (`long-test.ts`). */
export function longBrowserTests(): BrowserTest {
  return isLong ? browserTests() : (name) => test.skip(name, () => {});
}

let opening: Promise<Browser> | undefined;

/**
 * One browser for all files of this process, each test in a profile and a renderer of its own: opening one takes as
 * much of the processor as a page. It ends with the process; a crashed one is replaced.
 */
function openBrowser(path: string): Promise<Browser> {
  const forget = (): void => {
    opening = undefined;
  };
  const launch = async (): Promise<Browser> => {
    const browser = await chromium.launch({ executablePath: path, args: [...frugalFlags, offlineFlag] });
    return browser.on("disconnected", forget);
  };
  opening ??= launch();
  opening.catch(forget);
  return opening;
}

/**
 * Nothing is drawn on a screen, and no spare page is prepared: a third less of processor time for each page. No page
 * lives long enough to repay the optimisation of its code, and every file is loaded from a process of its own: without
 * the two accessibility takes 36 s instead of 40, written-flows 35 instead of 42.
 */
const frugalFlags = [
  "--disable-gpu",
  "--in-process-gpu",
  "--renderer-process-limit=1",
  // The last flag of this name counts: it repeats those of Playwright (its chromiumSwitches).
  "--enable-features=CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies,NetworkServiceInProcess2",
  "--js-flags=--no-opt --no-maglev",
];
/**
 * The browser itself resolves no other machine, by name or by number: sockets bypass the routes of tests. Routes could
 * be removed, but cost nothing measurable (32.8 s of processor time with them and 32.9 without: following, pictures,
 * flow-find).
 */
const offlineFlag = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1";
/**
 * Some tests check dozens of screens, which takes 20 s of processor time, on a machine that is busy with other tests.
 */
const browserTestTimeoutMs = 180_000;
/**
 * A test that waits in vain on a page names the missing element before the test's own time is over; no wait is expected
 * to take that long.
 */
const waitTimeoutMs = 40_000;

async function openPage(context: BrowserContext): Promise<Visit> {
  const outside: string[] = [];
  const problems: string[] = [];
  await context.route(
    (url) => /^(https?|wss?):$/.test(url.protocol) && !isHere(url),
    (route) => {
      outside.push(route.request().url());
      return route.abort("internetdisconnected");
    },
  );
  context.on("page", (page) =>
    page.on("websocket", (socket) =>
      socket.on("socketerror", (error) => {
        if (error.includes("ERR_NAME_NOT_RESOLVED")) outside.push(socket.url());
      }),
    ),
  );
  context.on("weberror", (event) => problems.push(String(event.error())));
  context.on("console", (message) => {
    if (message.type() === "error") problems.push(described(message.text(), message.location().url));
  });
  return { page: await context.newPage(), context, outside, problems };
}

/**
 * A page of this context that shows nothing yet: the one that each test begins with, if it was not used. A page takes
 * 0.1 s of processor time to open.
 */
export async function emptyPage(context: BrowserContext): Promise<Page> {
  return context.pages().find((page) => page.url() === "about:blank") ?? (await context.newPage());
}

/** Chromium names the file that could not be loaded only outside its message. */
function described(text: string, url: string): string {
  return text.startsWith("Failed to load resource") ? `${text}: ${url}` : text;
}

/** Two names for this machine, so that tests can visit two origins. */
function isHere({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname.endsWith(".localhost");
}
