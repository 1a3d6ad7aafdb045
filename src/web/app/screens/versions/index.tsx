import { ArrowLeftRight, GitCompare } from "lucide";
import { BotFrame } from "../../bot-bar/index.tsx";
import type { ScreenProps } from "../../routing/screen.ts";
import { addIcons } from "../../ui/index.ts";
import { Compare } from "./compare.tsx";
import { VersionTable } from "./table.tsx";
import { OneVersion } from "./version.tsx";
import "./versions.css";

addIcons({ "arrow-left-right": ArrowLeftRight, "git-compare": GitCompare });

/** Shows the publications of a bot: all versions, a single version, or the differences between two versions. */
export default function VersionsScreen({ params }: ScreenProps) {
  const { botId = "", number, other } = params;
  return (
    <BotFrame botId={botId} part="versions" isFilling={number !== undefined}>
      {number === undefined ? (
        <VersionTable key={botId} botId={botId} />
      ) : other === undefined ? (
        <OneVersion key={`${botId}/${number}`} botId={botId} number={number} />
      ) : (
        <Compare key={botId} botId={botId} from={number} to={other} />
      )}
    </BotFrame>
  );
}
