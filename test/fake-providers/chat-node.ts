import { type Answer, type Asked, type FakeProvider, startFake } from "./kit.ts";

/**
 * Starts ChatNode bots, based on https://chatnode.ai/docs/developer-guides/endpoint/send-message. They repeat the
 * message, and number the messages of their conversation.
 */
export async function startFakeChatNode({ port = 0, botId = "known-bot" } = {}): Promise<FakeProvider> {
  const counts = new Map<string, number>();
  const answer = ({ method, path, headers, json }: Asked): Answer => {
    const { message, chat_session_id: thread = `thread-${counts.size + 1}` } = json;
    if (!/^Bearer (?!wrong)\S+$/.test(headers["authorization"] ?? ""))
      return { status: 401, json: { message: "Unauthorized" } };
    if (method !== "POST" || path !== `/v1/${botId}`) return { status: 400, json: { message: "Bot not found" } };
    if (typeof message !== "string" || typeof thread !== "string")
      return { status: 400, json: { message: "message is required" } };
    const count = (counts.get(thread) ?? 0) + 1;
    counts.set(thread, count);
    return { json: { id: `m${count}`, message: `${count}: ${message}`, chat_session_id: thread, urls: [], docs: [] } };
  };
  return startFake({ name: "chat-node", port, answer });
}
