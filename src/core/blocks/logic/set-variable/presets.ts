import { limits } from "../../../../limits/index.ts";
import type { Produced, StepLog } from "../../../interpreter/program/outcome.ts";
import type { View } from "../../../interpreter/program/view.ts";
import { appendTo, itemAtSamePlace, removeEnd } from "./lists.ts";
import type { ServerPreset, SetVariableOptions } from "./options.ts";
import { presetTime } from "./times.ts";

const idCharacters = 24;

export function applyPreset(type: ServerPreset, variableId: string, options: SetVariableOptions, view: View): Produced {
  const set = (value: unknown, logs: StepLog[] = []): Produced => ({ writes: [{ variableId, value }], logs });
  switch (type) {
    case "Empty":
      return set(null);
    case "Environment name":
      return set("web");
    case "User ID":
    case "Result ID":
      return set(view.resultId ?? view.random.text(idCharacters));
    case "Random ID":
      return set(view.random.text(idCharacters));
    case "Now":
    case "Today":
    case "Yesterday":
    case "Tomorrow": {
      const { value, logs } = presetTime(type, view.now, view.text(options.timeZone));
      return set(value, logs);
    }
    case "Append value(s)":
      return append(variableId, view.text(options.item), view);
    case "Pop":
      return takeFrom("last", variableId, options, view);
    case "Shift":
      return takeFrom("first", variableId, options, view);
    case "Map item with same index":
      return set(itemAtSamePlace(options.mapListItemParams ?? {}, view));
    case "Phone number":
    case "Contact name":
    case "Referral Click ID":
    case "Referral Source ID":
      // Known in messengers only.
      return set(null);
    default:
      return type satisfies never;
  }
}

function append(variableId: string, element: string, view: View): Produced {
  const current = view.variables.get(variableId);
  if (!Array.isArray(current) || current.length < limits.step.listElements) {
    return { writes: [{ variableId, value: appendTo(current, element) }] };
  }
  const description = `Nothing was appended: a list has at most ${limits.step.listElements} elements`;
  return { logs: [{ context: "Set variable", description, details: variableId }] };
}

function takeFrom(
  end: "first" | "last",
  variableId: string,
  { saveItemInVariableId }: SetVariableOptions,
  view: View,
): Produced {
  const taken = removeEnd(view.variables.get(variableId), end);
  if (!taken) return { writes: [{ variableId, value: null }] };
  const saved = saveItemInVariableId ? [{ variableId: saveItemInVariableId, value: taken.element }] : [];
  return { writes: [{ variableId, value: taken.rest }, ...saved] };
}
