import type { Command } from "../editor/commands/command.ts";
import type { Done } from "../editor/index.ts";
import { isBeside } from "../editor/selection.ts";
import { announce, toast } from "../ui/index.ts";
import commandWords from "../words/en/command.json";
import { currentWords } from "../words/language.ts";
import type { ActContext } from "./act-context.ts";

export type Runner = ReturnType<typeof createRunner>;

/**
 * Creates the functions that run commands and announce the result to screen readers. The reason for a refusal is also
 * displayed. A new note or frame is selected.
 */
export function createRunner({ bot: { editor }, rows }: ActContext) {
  const announced = (done: Done): Done => {
    announce(done.kind === "done" ? done.title : done.sentence, done.kind === "done" ? "polite" : "assertive");
    if (done.kind === "refused") toast(done.sentence);
    rows?.onDone();
    return done;
  };
  return {
    announced,
    nothing: (): Done => announced({ kind: "refused", sentence: currentWords(commandWords).refusals.nothing }),
    run<Args>(command: Command<Args>, args: Args): Done {
      const done = announced(editor.run(command, args));
      if (done.kind === "done" && done.made && isBeside(done.made)) editor.selection.select(done.made);
      return done;
    },
  };
}
