import { flagAt } from "../../../conversation/read.ts";
import { request } from "../../api/index.ts";

/** Whether the draft of a bot answers on messengers. */
export function answersOnMessengers(bot: { readonly settings: unknown } | undefined): boolean {
  return flagAt(bot?.settings, "messenger", "isEnabled") === true;
}

/** The kinds of messengers of the service, by the words of their types. Requested if the bot answers on messengers. */
export async function readChannelKinds(isWanted: boolean): Promise<readonly string[]> {
  if (!isWanted) return [];
  const answer: { readonly channelTypes: readonly { readonly type: string }[] } = await (
    await request("GET /api/v1/channel-types", {})
  ).json();
  return answer.channelTypes.map(({ type }) => type);
}

/** The name of a kind of messenger; an unknown kind is shown by the service's name. */
export function channelName(type: string, names: Readonly<Record<string, string>>): string {
  return names[type] ?? type;
}
