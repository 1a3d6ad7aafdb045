import { createDraftLinter } from "../../../../core/lint/draft-linter.ts";
import { newId } from "../ids.ts";
import type { FromFindings, ToFindings } from "./findings-messages.ts";

const linter = createDraftLinter({ newId });
let isWaiting = false;

addEventListener("message", (event: MessageEvent<ToFindings>) => take(event.data));

function take(message: ToFindings): void {
  switch (message.kind) {
    case "open":
      linter.open(message.draft);
      break;
    case "change":
      linter.change(message.delta);
      break;
    case "asked":
      linter.noteAsked();
      return;
    case "answered":
      linter.noteAnswer(message.answer);
      break;
    case "drawn":
      linter.noteDrawn(message.drawn);
      break;
    case "fix":
      tell({ kind: "fixed", number: message.number, changes: linter.fix(message.wanted) });
      return;
  }
  wake();
}

/** Schedules the next pass of the linter. Messages that arrive during a pass are handled together in the next one. */
function wake(): void {
  if (isWaiting) return;
  isWaiting = true;
  setTimeout(() => {
    isWaiting = false;
    const begunAt = performance.now();
    const report = linter.read();
    if (report) tell({ kind: "report", report, tookMs: performance.now() - begunAt });
  });
}

function tell(message: FromFindings): void {
  postMessage(message);
}
