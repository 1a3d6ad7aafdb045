import type { StoredFlow } from "../flow/document.ts";
import { textAt } from "../interpreter/flow.ts";
import type { LintedFlow } from "./linted-flow.ts";
import type { VariableId } from "./references.ts";

const eventFields = ["contentVariableId", "inputNameVariableId", "inputTypeVariableId"] as const;

type EventWrite = VariableId & { readonly eventId: string; readonly field: (typeof eventFields)[number] };

/** Yields the variables that reply events write. */
export function* eventWrites({ events }: StoredFlow): Generator<EventWrite> {
  for (const [index, { id: eventId, ...event }] of (events ?? []).entries()) {
    for (const field of eventFields) {
      const id = textAt(event, "options", field);
      if (id) yield { id, path: `events[${index}].options.${field}`, eventId, field };
    }
  }
}

/**
 * Whether flows of other bots run within this flow. Such flows may write the variables of this flow and add further
 * variables.
 */
export function takesForeignVariables({ graph }: LintedFlow): boolean {
  return graph.ways.some(({ ways }) => ways.some((way) => way.kind === "link" && way.botId !== "current"));
}
