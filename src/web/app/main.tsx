import { render } from "preact";
import { noteRefusals } from "./page-parts/refusals.ts";
import { followHistory } from "./routing/router.ts";
import { firstLanguage, followPerson } from "./session/preferences.ts";
import { Shell } from "./shell/shell.tsx";
import { ignoreStrayFiles } from "./shell/stray-files.ts";
import { setLanguage } from "./words/index.ts";

/** The entry of the builder, in browsers that have its requirements (`start.ts` has checked). */
async function begin(root: HTMLElement): Promise<void> {
  // If a language does not load, the builder starts in English.
  await setLanguage(firstLanguage()).catch(() => {});
  followPerson();
  noteRefusals();
  followHistory();
  ignoreStrayFiles();
  render(<Shell />, root);
}

const root = document.getElementById("app");
if (root && !document.documentElement.hasAttribute("data-too-old")) void begin(root);
