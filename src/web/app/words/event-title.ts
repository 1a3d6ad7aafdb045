import { type EventType, events } from "../../../events.ts";
import workspaceWords from "./en/workspace.json";
import { currentWords } from "./language.ts";

/** Returns the title of an event type. If there is no translation, returns the English title from the service. */
export function eventTitle(type: EventType | "ping"): string {
  const { eventTypes } = currentWords(workspaceWords);
  if (type === "ping") return eventTypes.ping;
  const titles: Readonly<Record<string, string>> = eventTypes;
  return titles[type] ?? events[type].title;
}
