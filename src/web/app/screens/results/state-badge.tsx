import { Badge } from "../../ui/index.ts";
import resultWords from "../../words/en/result.json";
import { useWords } from "../../words/index.ts";
import type { State } from "./columns.ts";

const looks = {
  completed: { tone: "good", icon: "circle-check" },
  started: { tone: "accent", icon: "message-circle" },
  viewed: { tone: "neutral", icon: "eye" },
} as const;

/** Shows how far a visitor progressed in the chat. */
export function StateBadge({ state }: { readonly state: State }) {
  const words = useWords(resultWords);
  return <Badge label={words[state]} {...looks[state]} />;
}
