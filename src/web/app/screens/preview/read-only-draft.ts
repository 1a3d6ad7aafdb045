import { signal } from "@preact/signals";
import { listAt, textAt } from "../../../conversation/read.ts";
import type { Answer } from "../../api/index.ts";
import type { PreviewedDraft } from "../../preview/bot.ts";
import type { OpenForPreview } from "../../preview/index.tsx";

export type ReadBot = Answer<"GET /api/v1/bots/:botId">["bot"];

/** A draft as it was read, in the shape in which a preview takes one that is edited. */
export function readOnlyDraft(first: ReadBot) {
  const draft = signal<PreviewedDraft>(first);
  const variables = signal(variablesOf(first));
  const saved = signal<number | undefined>(first.revision);
  const focus = signal<OpenForPreview["editor"]["selection"]["focus"]["value"]>(undefined);
  const block = (id: string) => {
    const blocks = listAt(draft.peek(), "groups").flatMap((group) => listAt(group, "blocks"));
    const found = blocks.find((one) => textAt(one, "id") === id);
    return found === undefined ? undefined : { block: found };
  };
  const open: OpenForPreview = {
    id: first.id,
    editor: {
      saved,
      selection: {
        focus,
        select(thing) {
          focus.value = thing;
        },
      },
      store: { draft, variables, find: { block } },
    },
  };
  return {
    open,
    show(bot: ReadBot) {
      draft.value = bot;
      variables.value = variablesOf(bot);
      saved.value = bot.revision;
    },
  };
}

function variablesOf({ variables }: ReadBot): { readonly id: string; readonly name: string }[] {
  return variables.flatMap((variable) => {
    const [id, name] = [textAt(variable, "id"), textAt(variable, "name")];
    return id === undefined || name === undefined ? [] : [{ id, name }];
  });
}
