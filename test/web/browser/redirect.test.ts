import { afterEach, expect, test } from "bun:test";
import { redirect } from "../../../src/web/browser/actions/redirect.tsx";
import { wordsOf } from "../../../src/web/conversation/words.ts";

const replaced = ["location", "window"] as const;
const before = replaced.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
afterEach(() => {
  for (const [name, own] of before) {
    if (own) Object.defineProperty(globalThis, name, own);
    else Reflect.deleteProperty(globalThis, name);
  }
});

test("a page in a new tab has no access to the chat's window", async () => {
  const opened: { opener: unknown }[] = [];
  const notes: unknown[] = [];
  let isBlocked = false;
  const open = () => {
    if (isBlocked) return null;
    const tab = { opener: "the chat" };
    opened.push(tab);
    return tab;
  };
  for (const [name, value] of Object.entries({
    location: { href: "https://chat.example/fern", origin: "https://chat.example" },
    window: { open },
  })) {
    Object.defineProperty(globalThis, name, { value, configurable: true });
  }
  const tools: Parameters<typeof redirect>[1] = {
    nonce: "n",
    isAuthorCodeDisabled: false,
    words: wordsOf({ systemMessages: {} }),
    addressed: [],
    note: (text, link) => void notes.push([text, link]),
    ask() {},
    log() {},
  };
  const go = (url: string) => redirect({ type: "redirect", redirect: { url, isNewTab: true } }, tools);

  await go("https://shop.example/");
  await go("javascript:stolen()");
  expect(opened).toEqual([{ opener: null }]);
  isBlocked = true;
  await go("https://shop.example/");
  expect(notes).toEqual([[tools.words.popupBlockedButtonLabel, "https://shop.example/"]]);
});
