import { isLong } from "./campaigns.ts";

/**
 * Files whose tests run in the headless shell and in a full browser, if both are installed. They cover the differences:
 * frames, which have separate processes in a full browser, focus and scrolling to it, keys, pointers and files. Other
 * browser tests run in only one browser, because a full browser takes at least twice the processor time. For embed,
 * keyboard, flow-by-keys and preview, it takes 33 s instead of 14, in addition to 26 s for the service and its tests.
 */
const frames = ["test/support/browser.test.ts"];

/** These files run only in the long run, because they take some minutes of processor time in the full browser. */
const others = [
  "test/web/reading-on.test.ts",
  "test/web/app/scaled-frames.test.ts",
  "test/web/app/flow-by-keys.test.ts",
  "test/web/app/look-screens.test.ts",
  "test/web/app/on-card.test.ts",
  "test/web/app/preview.test.ts",
  "test/web/preview-frame.test.ts",
  "test/web/embed.test.ts",
  "test/web/growing.test.ts",
  "test/web/inputs/file-input.test.ts",
  "test/web/inputs/keyboard.test.ts",
];

export const inBothBrowsers = isLong ? [...frames, ...others] : frames;
