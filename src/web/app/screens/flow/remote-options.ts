import { type Signal, signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { textAt } from "../../../../core/interpreter/flow.ts";
import { type Answer, ApiFailure, call } from "../../api/index.ts";
import type { OpenBot } from "../../editor/index.ts";
import type { FormContext, FoundOptions } from "../../forms/index.ts";
import formWords from "../../words/en/form.json";
import { currentWords } from "../../words/language.ts";

/** How long options are considered current: a table that was just made is found by a new request. */
const believedMs = 60_000;

type Known = { readonly state: Signal<State>; askedAt: number };
type State = { readonly found?: FoundOptions; readonly isBusy: boolean };

/** A typed address is requested once it is complete: a request per letter used up a minute's quota of the account. */
const typingMs = 400;

/** Options of all bots that were open in this tab: a form that is shown again has its names at once. */
const known = new Map<string, Known>();
/** The last request of each field. */
const wanted = new Map<string, string>();

/** The options of a block's fields, requested when a form first shows a field, and cached for a minute. */
export function useRemoteOptions(bot: OpenBot, blockId: string): NonNullable<FormContext["remoteOptions"]> {
  return useMemo(
    () => (field, dependsOn) => {
      const block = bot.editor.store.block(blockId).value?.block;
      const values = dependsOn.map((name) => textAt(block, "options", name) ?? "");
      // The account comes first; the service checks what else is missing.
      if (values[0] === "") return { found: undefined, isBusy: false, refresh() {} };
      const key = JSON.stringify([bot.id, block?.["type"], field, ...values]);
      const entry = known.get(key) ?? { state: signal<State>({ isBusy: false }), askedAt: Number.NEGATIVE_INFINITY };
      known.set(key, entry);
      const refresh = (): void => void ask(bot, entry, { blockId, field });
      const place = `${blockId} ${field}`;
      if (performance.now() - entry.askedAt > believedMs && wanted.get(place) !== key) {
        // The request sets a signal, which is not allowed during rendering.
        setTimeout(() => wanted.get(place) === key && askOnce(entry, refresh), wanted.has(place) ? typingMs : 0);
      }
      wanted.set(place, key);
      return { ...{ found: undefined }, ...entry.state.value, refresh };
    },
    [bot, blockId],
  );
}

/** Several fields of a form request the same options. */
function askOnce(entry: Known, refresh: () => void): void {
  if (performance.now() - entry.askedAt > believedMs) refresh();
}

async function ask(bot: OpenBot, entry: Known, { blockId, field }: { blockId: string; field: string }): Promise<void> {
  entry.askedAt = performance.now();
  const { state } = entry;
  state.value = { ...state.value, isBusy: true };
  try {
    // The service reads the draft, which contains the latest choice only after a save.
    await bot.editor.copy.flush();
    const answer = await call("POST /api/v1/bots/:botId/blocks/:blockId/options", {
      path: { botId: bot.id, blockId },
      body: { field },
    });
    state.value = { found: foundOf(answer), isBusy: false };
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    state.value = { found: { options: [], isCut: false, problem: error.message }, isBusy: false };
  }
}

function foundOf({
  options,
  isCut,
  problem,
}: Answer<"POST /api/v1/bots/:botId/blocks/:blockId/options">): FoundOptions {
  // A missing choice in another field is not an error of this field.
  if (!problem || problem.reason === "missing") return { options, isCut };
  return {
    ...{ options, isCut },
    problem: problem.reason === "credentials" ? currentWords(formWords).lostCredentials : problem.message,
  };
}
