import { Badge } from "../../ui/index.ts";
import channelWords from "../../words/en/channels.json";
import { useWords } from "../../words/index.ts";
import type { Connection } from "./service.ts";

/** Shows whether a connection is enabled, and whether it is failing. */
export function ConnectionState({ connection }: { readonly connection: Connection }) {
  const words = useWords(channelWords);
  if (!connection.isEnabled) return <Badge label={words.off} />;
  if (connection.failingSince !== null) {
    return <Badge label={words.failing} tone="danger" icon="triangle-alert" />;
  }
  return <Badge label={words.on} tone="good" icon="circle-check" />;
}
