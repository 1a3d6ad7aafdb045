import { announce } from "../../ui/index.ts";
import canvasActWords from "../../words/en/canvas-act.json";
import { currentWords } from "../../words/language.ts";
import type { ActContext } from "../act-context.ts";
import type { Acts } from "../acts.ts";

/** Selects everything on the canvas: cards, notes and frames. The focused card keeps the focus. */
export function chooseAll({ chosen }: Acts, { bot: { editor } }: ActContext): void {
  const all = chosen.allBoxes().map(({ kind, id }) => ({ kind, id }));
  const [focused] = chosen.cardOfSelection();
  const isFocused = ({ id }: { readonly id: string }) => id === focused;
  const things = [...all.filter((one) => !isFocused(one)), ...all.filter(isFocused)];
  editor.selection.act({ kind: "selectAll", things });
  announce(currentWords(canvasActWords).chosen.after({ count: all.length }));
}
