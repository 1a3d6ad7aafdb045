import type { Client } from "../support/client.ts";

/** Creates and publishes a bot as tools of the reference product do. */
export async function publishTypebot(
  client: Client,
  { token, workspaceId }: { token: string; workspaceId: string },
  flow: object,
): Promise<{ typebotId: string; publicId: string }> {
  const made = await client.post("/api/v1/typebots", {
    token,
    body: { workspaceId, typebot: { name: "Chat", ...flow } },
  });
  const typebotId = made.text("typebot.id");
  const published = await client.post(`/api/v1/typebots/${typebotId}/publish`, { token });
  return { typebotId, publicId: published.text("publicId") };
}

/** Settings of a bot that remembers its visitors. */
export const remembering = { settings: { general: { rememberUser: { isEnabled: true, storage: "local" } } } };
