import { flagAt } from "../../../conversation/read.ts";
import { request } from "../../api/index.ts";

/** Whether the draft of a bot enables messengers. */
export function answersOnMessengers(bot: { readonly settings: unknown } | undefined): boolean {
  return flagAt(bot?.settings, "messenger", "isEnabled") === true;
}

/**
 * Returns the types of messengers that the service supports. Without `isWanted`, returns an empty list and sends no
 * request.
 */
export async function readChannelKinds(isWanted: boolean): Promise<readonly string[]> {
  if (!isWanted) return [];
  const answer: { readonly channelTypes: readonly { readonly type: string }[] } = await (
    await request("GET /api/v1/channel-types", {})
  ).json();
  return answer.channelTypes.map(({ type }) => type);
}

/** Returns the name of a messenger type. An unknown type is shown by its identifier. */
export function channelName(type: string, names: Readonly<Record<string, string>>): string {
  return names[type] ?? type;
}
