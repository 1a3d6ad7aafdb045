import { call, useQuery } from "../../api/index.ts";
import { Sections } from "../../page-parts/sections.tsx";
import { QueryState } from "../../page-parts/states.tsx";
import { Tokens } from "../../page-parts/tokens.tsx";
import type { ScreenProps } from "../../routing/screen.ts";
import { later, Skeleton } from "../../ui/index.ts";
import workspaceWords from "../../words/en/workspace.json";
import { useWords } from "../../words/index.ts";
import { BrandScreen } from "./brand.tsx";
import { Credentials } from "./credentials.tsx";
import { Erasures } from "./erasures.tsx";
import { Events } from "./events.tsx";
import { Files } from "./files.tsx";
import { General } from "./general.tsx";
import { Guests } from "./guests.tsx";
import { Members } from "./members.tsx";
import { Secrets } from "./secrets.tsx";
import { workspaceSections } from "./sections.ts";
import { workspaceKey } from "./workspace.ts";

const Channels = later(async () => (await import("../channels/channels.tsx")).Channels, <Skeleton rows={4} />);

/** The settings of a workspace for its members. Only administrators can change some of the sections. */
export default function Workspace({ params }: ScreenProps) {
  const words = useWords();
  const own = useWords(workspaceWords);
  const workspaceId = params["workspaceId"] ?? "";
  const selected = params["section"] ?? "general";
  const query = useQuery(workspaceKey(workspaceId), () =>
    call("GET /api/v1/workspaces/:workspaceId", { path: { workspaceId } }),
  );
  return (
    <Sections
      title={words.workspaceSettings}
      sections={workspaceSections(words, own)}
      selected={selected}
      base={`/w/${workspaceId}/settings`}
    >
      <QueryState query={query}>
        {({ workspace, currentUserMode }) => {
          const isAdmin = currentUserMode === "write";
          switch (selected) {
            case "brand":
              return <BrandScreen key={workspaceId} workspaceId={workspaceId} />;
            case "members":
              return <Members workspaceId={workspaceId} isAdmin={isAdmin} />;
            case "tokens":
              return <Tokens workspaceId={workspaceId} />;
            case "events":
              return <Events workspaceId={workspaceId} isAdmin={isAdmin} />;
            case "credentials":
              return (
                <>
                  <Credentials workspaceId={workspaceId} />
                  <Secrets workspaceId={workspaceId} />
                </>
              );
            case "channels":
              return <Channels workspaceId={workspaceId} isAdmin={isAdmin} />;
            case "guests":
              return <Guests workspaceId={workspaceId} />;
            case "files":
              return <Files workspaceId={workspaceId} />;
            case "erasures":
              return <Erasures workspaceId={workspaceId} isAdmin={isAdmin} />;
            default:
              return <General key={workspaceId} workspace={workspace} isAdmin={isAdmin} />;
          }
        }}
      </QueryState>
    </Sections>
  );
}
