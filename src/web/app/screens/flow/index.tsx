import { WithOpenBot } from "../../bot-bar/open-bot.tsx";
import type { ScreenProps } from "../../routing/screen.ts";
import { FlowEditor } from "./flow-editor.tsx";

/** Opens a bot's flow. When the screen is left, the flow is saved and closed. */
export default function FlowScreen({ params: { botId = "" } }: ScreenProps) {
  return <WithOpenBot botId={botId}>{(bot, onReopen) => <FlowEditor bot={bot} onReopen={onReopen} />}</WithOpenBot>;
}
