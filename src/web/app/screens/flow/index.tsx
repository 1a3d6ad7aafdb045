import { WithOpenBot } from "../../bot-bar/open-bot.tsx";
import type { ScreenProps } from "../../routing/screen.ts";
import { FlowEditor } from "./flow-editor.tsx";

/** A bot's flow: opened with its screen; when the screen is left, everything is saved and the flow is closed. */
export default function FlowScreen({ params: { botId = "" } }: ScreenProps) {
  return <WithOpenBot botId={botId}>{(bot, onReopen) => <FlowEditor bot={bot} onReopen={onReopen} />}</WithOpenBot>;
}
