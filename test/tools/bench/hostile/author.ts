import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Bench } from "../bench.ts";
import { benchToken } from "../service.ts";

/** An author with a separate workspace and a published bot. */
export type Author = {
  readonly token: string;
  readonly workspaceId: string;
  readonly botId: string;
  readonly publicId: string;
  publish(flow: object): Promise<void>;
  /** Starts this number of chats and returns the ids of their sessions. */
  startChats(count: number): Promise<readonly string[]>;
  /** Requests an upload and returns its path. */
  askToUpload(sessionId: string): Promise<string>;
  /** Registers an endpoint for all events of the workspace. */
  listen(url: string): Promise<void>;
};

const Named = Type.Object({ id: Type.String() });
const Started = Type.Object({ sessionId: Type.String() });

/** The number of concurrent starts while an attack is prepared. */
const width = 16;

export async function makeAuthor(bench: Bench, flow: object): Promise<Author> {
  const { url } = bench.service;
  const callAs = (token: string | undefined) =>
    async function call<Answer extends typeof Named | ReturnType<typeof Type.Object>>(
      path: string,
      { method = "POST", body }: { method?: string; body: object },
      answer: Answer,
    ) {
      const headers = {
        "Content-Type": "application/json",
        "X-Forwarded-For": `198.51.${Math.floor(Math.random() * 100)}.${Math.floor(Math.random() * 250)}`,
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      };
      const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return Value.Parse(answer, await response.json());
    };
  const made = await callAs(benchToken)(
    "/api/v1/users",
    { body: { name: "Author" } },
    Type.Object({ apiToken: Type.Object({ token: Type.String() }) }),
  );
  const { token } = made.apiToken;
  const call = callAs(token);
  const visit = callAs(undefined);
  const { workspace } = await call(
    "/api/v1/workspaces",
    { body: { name: "Hostile" } },
    Type.Object({ workspace: Named }),
  );
  const workspaceId = workspace.id;
  const { bot } = await call("/api/v1/bots", { body: { workspaceId, bot: flow } }, Type.Object({ bot: Named }));
  const botId = bot.id;
  const publishIt = () =>
    call(`/api/v1/bots/${botId}/publish`, { body: { force: true } }, Type.Object({ publicId: Type.String() }));
  const { publicId } = await publishIt();
  return {
    ...{ token, workspaceId, botId, publicId },
    async publish(other) {
      await call(`/api/v1/bots/${botId}`, { method: "PATCH", body: { bot: other } }, Type.Object({}));
      await publishIt();
    },
    async startChats(count) {
      const sessionIds: string[] = [];
      const startSome = async () => {
        while (sessionIds.length < count) {
          sessionIds.push((await visit(`/api/v1/bots/${publicId}/startChat`, { body: {} }, Started)).sessionId);
        }
      };
      await Promise.all(Array.from({ length: Math.min(width, count) }, startSome));
      return sessionIds.slice(0, count);
    },
    async askToUpload(sessionId) {
      const body = { sessionId, blockId: "in0", fileName: "letter.pdf", fileType: "application/pdf" };
      const Asked = Type.Object({ presignedUrl: Type.String() });
      const { presignedUrl } = await visit("/api/v3/generate-upload-url", { body }, Asked);
      return new URL(presignedUrl).pathname;
    },
    async listen(address) {
      const body = { url: address, eventTypes: ["result.started"] };
      await call(`/api/v1/workspaces/${workspaceId}/event-endpoints`, { body }, Type.Object({}));
    },
  };
}

export function request(
  method: string,
  path: string,
  { address, token, body }: { address: string; token?: string; body?: object },
): string {
  const text = body === undefined ? "" : JSON.stringify(body);
  const head = [
    `${method} ${path} HTTP/1.1`,
    "Host: localhost",
    `X-Forwarded-For: ${address}`,
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...(body === undefined ? [] : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(text)}`]),
  ];
  return `${head.join("\r\n")}\r\n\r\n${text}`;
}
