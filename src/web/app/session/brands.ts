import type { Brand } from "../../../core/interpreter/schemas/brand.ts";
import { refresh, request, useQuery } from "../api/index.ts";

/** A brand with the entity tag of its version, which a later update sends to detect conflicts. */
export type SeenBrand = { readonly brand: Brand | null; readonly tag: string };

const keyOf = (workspaceId: string) => `brand/${workspaceId}`;

/** Returns a query for the brand of a workspace with its entity tag. The brand is null if the workspace has none. */
export function useBrand(workspaceId: string) {
  return useQuery(keyOf(workspaceId), () => readBrand(workspaceId));
}

export async function readBrand(workspaceId: string): Promise<SeenBrand> {
  return seenIn(await request("GET /api/v1/workspaces/:workspaceId/brand", { path: { workspaceId } }));
}

/**
 * Replaces the whole brand. Throws an `ApiFailure` with the code `precondition.failed` if the brand has changed since
 * the given version.
 */
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
  // A proxy that compresses responses may weaken or remove the entity tag. The service compares only the version in the
  // tag, so the tag is rebuilt from the version.
  const version = new Date(updatedAt).getTime().toString(36);
  return { brand, tag: `"${version}-${"0".repeat(22)}"` };
}
