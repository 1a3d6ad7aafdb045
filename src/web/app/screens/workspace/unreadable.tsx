import { Badge } from "../../ui/index.ts";
import workspaceWords from "../../words/en/workspace.json";
import { useWords } from "../../words/index.ts";

/** Shown beside credentials or a secret that no key of this instance decrypts. */
export function Unreadable() {
  const words = useWords(workspaceWords);
  return <Badge label={words.unreadable} tone="danger" icon="triangle-alert" />;
}
