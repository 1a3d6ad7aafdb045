import { flagAt } from "../../../conversation/read.ts";
import { request } from "../../api/index.ts";

/** Whether the draft of a bot answers on messengers. */
export function answersOnMessengers(bot: { readonly settings: unknown } | undefined): boolean {
  return flagAt(bot?.settings, "messenger", "isEnabled") === true;
}

/** The kinds of messengers that the service has, by the words of their types. Asked for if the bot answers there. */
export async function readChannelKinds(isWanted: boolean): Promise<readonly string[]> {
  if (!isWanted) return [];
  const answer: { readonly channelTypes: readonly { readonly type: string }[] } = await (
    await request("GET /api/v1/channel-types", {})
  ).json();
  return answer.channelTypes.map(({ type }) => type);
}

/** The name of a kind of messenger; one that the words do not know is shown as the service calls it. */
export function channelName(type: string, names: Readonly<Record<string, string>>): string {
  return names[type] ?? type;
}
