import type { Config } from "../config.ts";
import { AppError } from "../errors.ts";
import { builderPlace, portAddress } from "../management/access/builder-place.ts";
import type { Page } from "../management/operations/page.ts";
import { isDirect } from "../platform/http/main-origin.ts";

/** Redirects a request for the root of the builder's listener to the builder. */
export const builderFront: Page = {
  path: "/",
  host: "management",
  respond: () => redirect("/app"),
};

/**
 * Returns the pages at `/app` on the main listener. If PUBLIC_URL is the builder's address, they serve the builder.
 * Otherwise, they redirect to the builder's own port, because chat pages share the origin of the main listener. The
 * list is empty if the builder has no port of its own.
 */
export function builderDoors(
  config: Pick<Config, "PORT" | "APP_PORT" | "PUBLIC_URL" | "CHAT_URL">,
  builderPages: readonly Page[],
): readonly Page[] {
  const { address, port } = builderPlace(config);
  if (address !== undefined) return builderPages;
  if (port === undefined) return [];
  return ["/app", "/app/*"].map(
    (path): Page => ({
      path,
      host: "management",
      takesToken: true,
      respond(deps, request, place) {
        if (deps.ports.app === undefined) throw new AppError("route.not_found");
        const { hostname } = new URL(`http://${place.host()}`);
        const { pathname, search } = new URL(request.url);
        const at = { hostname, port: deps.ports.app, isDirect: isDirect(deps, request) };
        return redirect(portAddress(config, at) + pathname + search);
      },
    }),
  );
}

function redirect(address: string): Response {
  return new Response(null, { status: 302, headers: { Location: address, "Cache-Control": "no-store" } });
}
