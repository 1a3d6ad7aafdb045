import { Badge } from "../../ui/index.ts";
import workspaceWords from "../../words/en/workspace.json";
import { useWords } from "../../words/index.ts";

/** A badge for credentials or a secret that no key of this instance can decrypt. */
export function Unreadable() {
  const words = useWords(workspaceWords);
  return <Badge label={words.unreadable} tone="danger" icon="triangle-alert" />;
}
