import type { Brand } from "../../../core/interpreter/schemas/brand.ts";
import { refresh, request, useQuery } from "../api/index.ts";

/** A brand, and its tag, by which a change names the version that its author has seen. */
export type SeenBrand = { readonly brand: Brand | null; readonly tag: string };

const keyOf = (workspaceId: string) => `brand/${workspaceId}`;

/** The brand of a workspace; null if it has none. */
export function useBrand(workspaceId: string) {
  return useQuery(keyOf(workspaceId), () => readBrand(workspaceId));
}

export async function readBrand(workspaceId: string): Promise<SeenBrand> {
  return seenIn(await request("GET /api/v1/workspaces/:workspaceId/brand", { path: { workspaceId } }));
}

/** Writes the whole brand. Throws an `ApiFailure` with `precondition.failed` if it was changed since. */
export async function saveBrand(workspaceId: string, { brand, tag }: SeenBrand): Promise<SeenBrand> {
  const saved = await seenIn(
    await request("PUT /api/v1/workspaces/:workspaceId/brand", {
      path: { workspaceId },
      body: { brand },
      headers: { "If-Match": tag },
    }),
  );
  await refresh(keyOf(workspaceId));
  return saved;
}

async function seenIn(response: Response): Promise<SeenBrand> {
  const { brand, updatedAt }: { readonly brand: Brand | null; readonly updatedAt: string } = await response.json();
  // A proxy that compresses an answer weakens its tag, or drops it. Only the version in the tag is compared.
  const version = new Date(updatedAt).getTime().toString(36);
  return { brand, tag: `"${version}-${"0".repeat(22)}"` };
}
