import { type Signal, signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { textAt } from "../../../../core/interpreter/flow.ts";
import { type Answer, ApiFailure, call } from "../../api/index.ts";
import type { OpenBot } from "../../editor/index.ts";
import type { FormContext, FoundOptions } from "../../forms/index.ts";
import formWords from "../../words/en/form.json";
import { currentWords } from "../../words/language.ts";

/**
 * The time in ms for which options are considered current. After this time, a new request finds newly created options,
 * such as a new table.
 */
const believedMs = 60_000;

type Known = { readonly state: Signal<State>; askedAt: number };
type State = { readonly found?: FoundOptions; readonly isBusy: boolean };

/**
 * The pause in typing, in ms, after which a typed value is used in a request. A request per letter would exhaust the
 * account's quota per minute.
 */
const typingMs = 400;

/**
 * The options of all bots that were open in this tab. They are kept, so that a form has its names immediately when it
 * is shown again.
 */
const known = new Map<string, Known>();
const wanted = new Map<string, string>();

/**
 * Returns the options of a block's fields. They are requested when a form first shows a field, and cached for a minute.
 */
export function useRemoteOptions(bot: OpenBot, blockId: string): NonNullable<FormContext["remoteOptions"]> {
  return useMemo(
    () => (field, dependsOn) => {
      const block = bot.editor.store.block(blockId).value?.block;
      const values = dependsOn.map((name) => textAt(block, "options", name) ?? "");
      // Without credentials there is no request. The service checks which other fields are missing.
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

/**
 * Requests options unless they are current. Several fields of a form need the same options, so the request is sent only
 * once.
 */
function askOnce(entry: Known, refresh: () => void): void {
  if (performance.now() - entry.askedAt > believedMs) refresh();
}

async function ask(bot: OpenBot, entry: Known, { blockId, field }: { blockId: string; field: string }): Promise<void> {
  entry.askedAt = performance.now();
  const { state } = entry;
  state.value = { ...state.value, isBusy: true };
  try {
    // The draft must be saved first, because the service reads the latest values from the draft.
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
  // A missing value in another field is not an error of this field.
  if (!problem || problem.reason === "missing") return { options, isCut };
  return {
    ...{ options, isCut },
    problem: problem.reason === "credentials" ? currentWords(formWords).lostCredentials : problem.message,
  };
}
