import type { Address, ChannelEvent } from "../../core/channels/channel.ts";
import { wordsIn } from "../../core/channels/settings.ts";
import { wordIn } from "../../core/channels/words.ts";
import type { OpenConnection } from "../../management/channels/open-connections.ts";
import type { OptOuts } from "../../management/channels/opt-outs.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { optOutByAddresses } from "./inbox.sql.ts";

/** Opts out the contacts who ask a disabled connection to stop its messages. The connection does not answer them. */
export async function keepOptOuts(
  { sql, optOuts }: { readonly sql: Sql; readonly optOuts: OptOuts },
  { id: connectionId, workspaceId, channel, settings }: OpenConnection,
  events: readonly ChannelEvent[],
): Promise<void> {
  const words = wordsIn(channel, settings);
  for (const event of events) {
    if (event.kind !== "message" || wordIn(wordOf(event.content), words) !== "stop") continue;
    const { addresses } = event.contact;
    const hashes = await Promise.all(addresses.map((address: Address) => optOuts.hashOf(connectionId, address)));
    const place = { connectionId, workspaceId, channel: channel.type };
    await optOutByAddresses(sql, place, {
      addresses,
      hashes: hashes.map((hash) => Buffer.from(hash).toString("hex")),
    });
  }
}

function wordOf(content: Extract<ChannelEvent, { kind: "message" }>["content"]): string {
  if (content.kind === "text") return content.text;
  return content.kind === "command" ? `/${content.command}` : "";
}
