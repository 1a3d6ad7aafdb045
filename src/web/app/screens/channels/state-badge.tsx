import { Badge } from "../../ui/index.ts";
import channelWords from "../../words/en/channels.json";
import { useWords } from "../../words/index.ts";
import type { Connection } from "./service.ts";

/** Shows whether bots answer on a connection, and the reason if they do not. */
export function ConnectionState({ connection }: { readonly connection: Connection }) {
  const words = useWords(channelWords);
  if (!connection.isEnabled) return <Badge label={words.off} />;
  if (connection.failingSince !== null) {
    return <Badge label={words.failing} tone="danger" icon="triangle-alert" />;
  }
  return <Badge label={words.on} tone="good" icon="circle-check" />;
}
