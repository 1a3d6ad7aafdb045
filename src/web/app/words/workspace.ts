import { type EventType, events, eventTypes } from "../../../events.ts";
import english from "./en/workspace.json";
import { area } from "./language.ts";

function eventTitles(): Readonly<Record<EventType, string>>;
function eventTitles(): object {
  return Object.fromEntries(eventTypes.map((type) => [type, events[type].title]));
}

/** The words of a workspace's credentials, secrets, events, guests and files. */
export const workspaceWords = area<"workspace", { readonly eventTypes: Readonly<Record<EventType, string>> }>(
  "workspace",
  {
    ...english,
    eventTypes: { ...eventTitles(), ...english.eventTypes },
  },
);
