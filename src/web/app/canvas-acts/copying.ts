import { copy, countOf } from "../../../core/editing/references/clipboard.ts";
import type { Point } from "../canvas/contract.ts";
import { announce } from "../ui/index.ts";
import commandWords from "../words/en/command.json";
import { currentWords } from "../words/language.ts";
import type { ActContext } from "./act-context.ts";
import type { Chosen } from "./chosen.ts";
import type { Pasting } from "./pasting.ts";
import type { Placing } from "./placing.ts";
import type { Runner } from "./runner.ts";

/** The content that was last copied in this tab, for browsers without clipboard access, for example on plain HTTP. */
let ownClipboard = "";

/** Creates the actions that copy, cut, paste and duplicate the selection. */
export function createCopying(context: ActContext, chosen: Chosen, runner: Runner, placing: Placing) {
  const { editor } = context.bot;
  const draft = () => editor.copy.view();
  const clipOfChosen = () => {
    const row = chosen.focused();
    const blockIds = chosen.blockIds();
    if (blockIds.length > 0) return copy(draft(), { blockIds });
    if (row?.kind === "item") return copy(draft(), { items: chosen.items() });
    return copy(draft(), {
      groupIds: chosen.idsOf("group"),
      noteIds: chosen.besideIds("note"),
      frameIds: chosen.besideIds("frame"),
    });
  };
  let pasting: Pasting | undefined;
  async function loadPasting(): Promise<Pasting> {
    pasting ??= (await import("./pasting.ts")).createPasting(context, { chosen, runner, placing, clipOfChosen });
    return pasting;
  }
  function whenLoaded(act: (pasting: Pasting) => void): void {
    if (pasting) act(pasting);
    else void loadPasting().then(act);
  }
  /** Copies the selection, and returns it as text for the clipboard. Returns undefined if nothing is selected. */
  function copyChosen(): string | undefined {
    const clip = clipOfChosen();
    const count = countOf(clip);
    if (count === 0) {
      runner.nothing();
      return undefined;
    }
    ownClipboard = JSON.stringify(clip);
    announce(currentWords(commandWords).announce.copied({ count }));
    return ownClipboard;
  }
  /** Pastes the text, or this tab's own copy if the text is empty. Returns false if there is nothing to paste. */
  function pasteText(text: string, at?: Point): boolean {
    const given = text.trim() === "" ? ownClipboard : text;
    if (given !== "") whenLoaded(({ pasteText: act }) => act(given, at));
    return given !== "";
  }
  return {
    copyChosen,
    pasteText,
    pasteAsText: (text: string, at?: Point) => whenLoaded((pasting) => pasting.pasteAsText(text, at)),
    pastePicture: (file: File) => whenLoaded((pasting) => void pasting.pastePicture(file)),
    duplicateChosen: () => whenLoaded((pasting) => pasting.duplicateChosen()),
    /** Called at the first selection, so that the code for pasting is loaded before it is needed. */
    loadPasting,
  };
}
