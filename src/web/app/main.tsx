import { render } from "preact";
import { noteRefusals } from "./page-parts/refusals.ts";
import { followHistory } from "./routing/router.ts";
import { firstLanguage, followPerson } from "./session/preferences.ts";
import { Shell } from "./shell/shell.tsx";
import { setLanguage } from "./words/index.ts";

/** Starts the builder. `start.ts` has already checked that the browser meets the requirements. */
async function begin(root: HTMLElement): Promise<void> {
  // If the language cannot be loaded, the builder starts in English.
  await setLanguage(firstLanguage()).catch(() => {});
  followPerson();
  noteRefusals();
  followHistory();
  ignoreStrayFiles();
  render(<Shell />, root);
}

const root = document.getElementById("app");
if (root && !document.documentElement.hasAttribute("data-too-old")) void begin(root);

/** Prevents the browser from opening a file that is dropped outside a drop area. Called once. */
function ignoreStrayFiles(): void {
  const onDrag = (event: DragEvent): void => {
    const { target, dataTransfer } = event;
    // File inputs accept dropped files by themselves.
    const isTaken = event.defaultPrevented || (target instanceof HTMLInputElement && target.type === "file");
    if (isTaken || !dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    dataTransfer.dropEffect = "none";
  };
  addEventListener("dragover", onDrag);
  addEventListener("drop", onDrag);
}
