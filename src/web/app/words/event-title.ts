import { type EventType, events } from "../../../events.ts";
import workspaceWords from "./en/workspace.json";
import { currentWords } from "./language.ts";

/** The title of an event; in English it is the service's own title. */
export function eventTitle(type: EventType | "ping"): string {
  const { eventTypes } = currentWords(workspaceWords);
  if (type === "ping") return eventTypes.ping;
  const titles: Readonly<Record<string, string>> = eventTypes;
  return titles[type] ?? events[type].title;
}
