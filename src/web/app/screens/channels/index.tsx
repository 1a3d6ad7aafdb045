import { call, refresh, useQuery } from "../../api/index.ts";
import { Sections } from "../../page-parts/sections.tsx";
import { QueryState } from "../../page-parts/states.tsx";
import { Link } from "../../routing/router.ts";
import type { ScreenProps } from "../../routing/screen.ts";
import channelWords from "../../words/en/channels.json";
import { useWords } from "../../words/index.ts";
import { Bots } from "./bots.tsx";
import { Conversations } from "./conversations.tsx";
import { Overview } from "./overview.tsx";
import { connectionKey, readConnection } from "./service.ts";
import { ConnectionSettings } from "./settings.tsx";
import "./channels.css";

/** A messenger account, with its state, bots, settings and conversations. */
export default function ChannelConnection({ params }: ScreenProps) {
  const words = useWords(channelWords);
  const workspaceId = params["workspaceId"] ?? "";
  const connectionId = params["connectionId"] ?? "";
  const selected = params["section"] ?? "state";
  const contactId = params["contactId"];
  const query = useQuery(connectionKey(connectionId), () => readConnection(workspaceId, connectionId));
  const workspace = useQuery(`workspace/${workspaceId}`, () =>
    call("GET /api/v1/workspaces/:workspaceId", { path: { workspaceId } }),
  );
  const isAdmin = workspace.value?.currentUserMode === "write";
  const changed = async () => {
    await Promise.all([query.again(), refresh(`channel-connections/${workspaceId}`)]);
  };
  return (
    <Sections
      title={query.value?.channelConnection.name ?? words.title}
      sections={[
        { id: "state", label: words.state },
        { id: "bots", label: words.bots },
        { id: "settings", label: words.settings },
        { id: "conversations", label: words.conversations },
      ]}
      selected={selected}
      base={`/w/${workspaceId}/channels/${connectionId}`}
    >
      <p class="channel-back">
        <Link to={`/w/${workspaceId}/settings/channels`}>{words.allConnections}</Link>
      </p>
      <QueryState query={query}>
        {({ channelConnection: connection }) => {
          const props = { workspaceId, connection, isAdmin, onChanged: changed };
          switch (selected) {
            case "bots":
              return <Bots {...props} />;
            case "settings":
              return <ConnectionSettings key={connection.updatedAt} {...props} />;
            case "conversations":
              return <Conversations {...{ workspaceId, connection, isAdmin, contactId }} />;
            default:
              return <Overview {...props} />;
          }
        }}
      </QueryState>
    </Sections>
  );
}
