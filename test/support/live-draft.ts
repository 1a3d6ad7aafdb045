import { expect } from "bun:test";
import type { TestApi, TestUser } from "./api.ts";
import { noteOperation } from "./contract.ts";

export type LiveEvent = { readonly event: string; readonly id?: string; readonly data: unknown };

/** A user who is authenticated by a sign-in cookie, like the builder's pages. */
type SignedIn = { readonly headers: Readonly<Record<string, string>> };

/** Watches a draft as this user. Reads the stream of server-sent events one by one. */
export async function watchLive(
  api: TestApi,
  user: Pick<TestUser, "token"> | SignedIn,
  botId: string,
  after: number,
  knows?: "edit",
) {
  const path = "/api/v1/bots/:botId/live";
  const { handle } = "token" in user ? api : api.openBuilder();
  const headers = "token" in user ? { Authorization: `Bearer ${user.token}` } : user.headers;
  const response = await handle(
    new Request(`http://localhost${path.replace(":botId", botId)}?after=${after}${knows ? `&knows=${knows}` : ""}`, {
      headers,
    }),
  );
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  noteOperation({ method: "GET", path });
  if (!response.body) throw new Error("There is no stream");
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  return {
    async next(): Promise<LiveEvent | undefined> {
      for (;;) {
        const end = text.indexOf("\n\n");
        if (end >= 0) {
          const lines = text.slice(0, end).split("\n");
          text = text.slice(end + 2);
          const fields = Object.fromEntries(lines.map((line) => line.split(/: ?(.*)/s)));
          if (fields["event"] === undefined) continue;
          return {
            ...(fields["id"] && { id: fields["id"] }),
            event: fields["event"],
            data: JSON.parse(fields["data"]),
          };
        }
        const { value, done } = await reader.read();
        if (done) return undefined;
        text += decoder.decode(value, { stream: true });
      }
    },
    stop: () => reader.cancel(),
  };
}
