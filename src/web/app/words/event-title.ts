import { type EventType, events } from "../../../events.ts";
import workspaceWords from "./en/workspace.json";
import { currentWords } from "./language.ts";

/** Returns the title of an event type. The English title is that of the service. */
export function eventTitle(type: EventType | "ping"): string {
  const { eventTypes } = currentWords(workspaceWords);
  if (type === "ping") return eventTypes.ping;
  const titles: Readonly<Record<string, string>> = eventTypes;
  return titles[type] ?? events[type].title;
}
