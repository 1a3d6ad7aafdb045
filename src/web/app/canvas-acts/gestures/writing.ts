import type { Gesture } from "../../canvas/contract.ts";
import { isGroupLocked } from "../../editor/commands/locks.ts";
import type { ActContext } from "../act-context.ts";
import type { Acts } from "../acts.ts";
import { caretAt } from "../caret.ts";
import { editOnCard, leastWritingZoom } from "../edit-on-card.ts";

/**
 * Creates the gesture that sets the caret with a press on the text of a row. With a finger, the press only selects the
 * row, because the on-screen keyboard would cover the card.
 */
export function createWriting(acts: Acts, context: ActContext): Gesture {
  const { view } = context;
  return {
    begins: () => false,
    move() {},
    end() {},
    cancel() {},
    tap(hit, event) {
      if ((hit.kind !== "row" && hit.kind !== "item") || event.button !== 0 || event.pointerType === "touch")
        return false;
      if (event.shiftKey || event.ctrlKey || event.metaKey || view.camera.zoom < leastWritingZoom) return false;
      if (view.source.editor.readOnly.value !== undefined || isGroupLocked(acts.draft(), hit.id)) return false;
      const part = event.target instanceof Element ? event.target.closest(parts) : null;
      if (!part || ("row" in hit && hit.row !== undefined)) return false;
      const isVariable = part.matches(".canvas-variable");
      const caret = isVariable ? undefined : caretAt(part, { x: event.clientX, y: event.clientY });
      const isWritten = editOnCard(context, { ...hit, isVariable }, caret);
      if (isWritten) context.open({ hasFocus: false });
      return isWritten;
    },
  };
}

const parts = ".canvas-text, .canvas-variable, .canvas-thumb";
