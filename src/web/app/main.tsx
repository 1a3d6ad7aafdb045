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
 * Prevents a file that is dropped in the wrong place from replacing the page: the browser would open the file instead.
 * Called once.
 */
function ignoreStrayFiles(): void {
  const onDrag = (event: DragEvent): void => {
    const { target, dataTransfer } = event;
    // A field for files accepts a dropped file by itself.
    const isTaken = event.defaultPrevented || (target instanceof HTMLInputElement && target.type === "file");
    if (isTaken || !dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    dataTransfer.dropEffect = "none";
  };
  addEventListener("dragover", onDrag);
  addEventListener("drop", onDrag);
}
