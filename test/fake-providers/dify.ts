import type { ServerResponse } from "node:http";
import { type Answer, type Asked, type FakeProvider, startFake } from "./kit.ts";

export type FakeDify = FakeProvider & {
  /** Deletes all conversations, as if the app was created again. */
  forget(): void;
};

/**
 * Starts apps and data sets of Dify, based on https://docs.dify.ai/api-reference. The app repeats the query word by
 * word, and rejects blocking mode as agents do.
 */
export async function startFakeDify({ port = 0 } = {}): Promise<FakeDify> {
  const conversations = new Map<string, { readonly user: unknown; turns: number }>();
  const chat = async ({ json, headers }: Asked, response: ServerResponse): Promise<Answer> => {
    if (isWrong(headers)) return refused(401, "unauthorized", "Access token is invalid");
    const { query, user, inputs, response_mode: mode, conversation_id: id } = json;
    if (typeof query !== "string" || query === "") return refused(400, "invalid_param", "query is required");
    if (typeof user !== "string" || user === "") return refused(400, "invalid_param", "user is required");
    if (mode !== "streaming") return refused(400, "invalid_param", "Agent Chat App does not support blocking mode");
    const known = typeof id === "string" && id !== "" ? conversations.get(id) : { user, turns: 0 };
    if (known?.user !== user) return refused(404, "not_found", "Conversation Not Exists.");
    const conversationId = typeof id === "string" && id !== "" ? id : `conversation-${conversations.size + 1}`;
    known.turns++;
    conversations.set(conversationId, known);
    response.writeHead(200, { "content-type": "text/event-stream" });
    const say = (event: string, more: object) =>
      response.write(
        `data: ${JSON.stringify({ event, task_id: "task", conversation_id: conversationId, ...more })}\n\n`,
      );
    response.write("event: ping\n\n");
    say("agent_thought", { thought: "I say it again" });
    const words = `${query} (${known.turns}, ${JSON.stringify(inputs)})`.split(/(?<= )/);
    for (const answer of words) say(query.startsWith("agent") ? "agent_message" : "message", { answer });
    if (query.includes("broken"))
      say("error", { status: 400, code: "provider_quota_exceeded", message: "Quota exceeded" });
    else if (query.includes("moderated")) say("message_replace", { answer: "I may not say this" });
    else if (query.includes("cut")) response.socket?.destroySoon();
    else
      say("message_end", {
        metadata: { usage: { prompt_tokens: 7, completion_tokens: words.length, total_tokens: 7 + words.length } },
      });
    response.end();
    return {};
  };
  const retrieve = ({ json, headers, path }: Asked): Answer => {
    if (isWrong(headers)) return refused(401, "unauthorized", "Access token is invalid");
    if (!path.includes("/known-set/")) return refused(404, "not_found", "Dataset not found.");
    const { query } = json;
    if (typeof query !== "string" || query.length > 250) return refused(400, "invalid_param", "query is too long");
    const records = query.includes("nothing") ? [] : ["The first chunk", `About ${query}`];
    return {
      json: { query: { content: query }, records: records.map((content) => ({ segment: { content }, score: 0.9 })) },
    };
  };
  const fake = await startFake({
    name: "dify-ai",
    port,
    answer(asked, response) {
      if (asked.path === "/v1/chat-messages" && asked.method === "POST") return chat(asked, response);
      if (/^\/v1\/datasets\/[^/]+\/retrieve$/.test(asked.path) && asked.method === "POST") return retrieve(asked);
      if (asked.path === "/v1/datasets") return listed(asked);
      if (asked.path === "/v1/info")
        return isWrong(asked.headers)
          ? refused(401, "unauthorized", "Access token is invalid")
          : { json: { name: "Fake" } };
      return refused(404, "not_found", "There is no such page");
    },
    refusal: (status, { headers }) => ({ code: "refused", status, message: `Refused: ${headers["authorization"]}` }),
  });
  return { ...fake, forget: () => conversations.clear() };
}

/**
 * Returns one data set per page. The pages of the real API contain up to 100 data sets
 * (https://docs.dify.ai/api-reference/datasets).
 */
function listed({ headers, query }: Asked): Answer {
  if (isWrong(headers)) return refused(401, "unauthorized", "Access token is invalid");
  const all = [
    { id: "known-set", name: "Handbook" },
    { id: "other-set", name: "Prices" },
  ];
  const page = Number(query.get("page") ?? 1);
  return { json: { data: all.slice(page - 1, page), has_more: page < all.length, page, limit: 1, total: all.length } };
}

function refused(status: number, code: string, message: string): Answer {
  return { status, json: { code, status, message } };
}

function isWrong(headers: Asked["headers"]): boolean {
  return !/^Bearer (?!wrong)\S+$/.test(headers["authorization"] ?? "");
}
