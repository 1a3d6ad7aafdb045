import { render } from "preact";
import { noteRefusals } from "./page-parts/refusals.ts";
import { followHistory } from "./routing/router.ts";
import { firstLanguage, followPerson } from "./session/preferences.ts";
import { Shell } from "./shell/shell.tsx";
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

/**
 * Lets nobody lose the page by a file that is dropped beside its place: the browser would open it in place of the page.
 * Called once.
 */
function ignoreStrayFiles(): void {
  const onDrag = (event: DragEvent): void => {
    const { target, dataTransfer } = event;
    // A field of files takes them by itself.
    const isTaken = event.defaultPrevented || (target instanceof HTMLInputElement && target.type === "file");
    if (isTaken || !dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    dataTransfer.dropEffect = "none";
  };
  addEventListener("dragover", onDrag);
  addEventListener("drop", onDrag);
}
