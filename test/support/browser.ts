import { test } from "bun:test";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { isLong } from "./campaigns.ts";
import { findBrowser } from "./find-browser.ts";

/** The browser of a test: a separate profile with one empty page. */
export type Visit = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Requests and sockets to other machines. All of them are blocked, as without internet. */
  readonly outside: readonly string[];
  /**
   * The errors of the pages: uncaught errors, and errors on the console such as violations of a content security
   * policy.
   */
  readonly problems: readonly string[];
};

/**
 * Like `test` of bun:test. `options` are the options of a browser context: `viewport`, `javaScriptEnabled`,
 * `colorScheme` …
 */
export type BrowserTest = (name: string, run: (visit: Visit) => Promise<void>, options?: BrowserContextOptions) => void;

/**
 * Tests in a real Chromium. Call this function once at the top of a test file. Machines without a browser skip these
 * tests, and the test names contain the reason.
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

/** Like `browserTests`, but the tests run only in `npm run test:long`, as with `longTest` (`long-test.ts`). */
export function longBrowserTests(): BrowserTest {
  return isLong ? browserTests() : (name) => test.skip(name, () => {});
}

let opening: Promise<Browser> | undefined;

/**
 * Opens one browser for all files of this process, because opening a browser takes as much processor time as a page.
 * Each test has a separate profile and renderer. The browser ends with the process, and is replaced after a crash.
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
 * Flags that save processor time. Each page takes a third less, because nothing is drawn on a screen and no spare page
 * is prepared. Optimised code and a separate process for file loading never pay off for short-lived pages. Without the
 * optimisation, the accessibility tests take 36 s instead of 40, and written-flows 35 s instead of 42.
 */
const frugalFlags = [
  "--disable-gpu",
  "--in-process-gpu",
  "--renderer-process-limit=1",
  // Only the last flag with this name is used, so the flag repeats the features that Playwright sets (its
  // chromiumSwitches).
  "--enable-features=CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies,NetworkServiceInProcess2",
  "--js-flags=--no-opt --no-maglev",
];
/**
 * With this flag, the browser itself resolves no other machine, by name or by number, because sockets bypass the routes
 * of tests. Routes have no measurable cost: following, pictures and flow-find take 32.8 s of processor time with
 * routes, and 32.9 s without.
 */
const offlineFlag = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1";
/**
 * The time limit of a browser test. Some tests check dozens of screens, which takes 20 s of processor time on a machine
 * that runs other tests.
 */
const browserTestTimeoutMs = 180_000;
/** Shorter than a test's time limit, so that a test that waits in vain reports the missing element. */
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
 * Returns an empty page of this context: the initial page if it was not used, otherwise a new page. Opening a page
 * takes 0.1 s of processor time.
 */
export async function emptyPage(context: BrowserContext): Promise<Page> {
  return context.pages().find((page) => page.url() === "about:blank") ?? (await context.newPage());
}

/**
 * Appends the URL to Chromium's message about a file that could not be loaded, because the message does not contain it.
 */
function described(text: string, url: string): string {
  return text.startsWith("Failed to load resource") ? `${text}: ${url}` : text;
}

/** Whether a URL belongs to this machine. Several host names refer to it, so that tests can visit several origins. */
function isHere({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname.endsWith(".localhost");
}
