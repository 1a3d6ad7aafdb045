import { join } from "node:path";
import type { TestApi } from "../../../support/api.ts";
import { createClient } from "../../../support/client.ts";
import { programsVariable } from "../../../support/programs.ts";
import { startService } from "../../../support/service.ts";
import type { Node } from "./node.ts";
import { actsPath, settingsVariable } from "./process-settings.ts";

/** The latest moment of a death in the middle of a request, in ms. */
const midstMs = 30;

/** Starts a node as a separate process, which dies by SIGKILL. */
export async function startNodeProcess({ deps, databaseUrl }: TestApi): Promise<Node> {
  const programs = process.env[programsVariable];
  const service = await startService({
    command: [process.execPath, join(import.meta.dir, "program.ts")],
    environment: {
      [settingsVariable]: JSON.stringify({ databaseUrl, config: deps.config }),
      ...(programs !== undefined && { [programsVariable]: programs }),
    },
  });
  let isDead = false;
  const exited = service.exited.then((exitCode) => {
    isDead = true;
    if (exitCode !== null) throw new Error(`The node ended by itself: ${service.stderr()}`);
  });
  const kill = (): Promise<void> => {
    service.signal("SIGKILL");
    isDead = true;
    return exited;
  };
  let murder: ReturnType<typeof setTimeout> | undefined;
  const handle = async (request: Request): Promise<Response> => {
    const { pathname, search, host } = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.set("host", host);
    // The body must arrive uncompressed, because a service within this process does not compress either.
    if (!headers.has("accept-encoding")) headers.set("accept-encoding", "identity");
    const body = request.body === null ? {} : { body: await request.arrayBuffer() };
    try {
      const response = await fetch(`${service.url}${pathname}${search}`, {
        ...{ method: request.method, headers, redirect: "manual", ...body },
      });
      // The response arrives completely, or not at all.
      const bytes = await response.arrayBuffer();
      const hasBody = bytes.byteLength > 0;
      return new Response(hasBody ? bytes : null, { status: response.status, headers: response.headers });
    } catch (error) {
      // The connection of a dying node breaks, and its exit is reported a moment later.
      await exited;
      throw error;
    }
  };
  /** Lets the node perform an action. If the node is dead, this has no effect. */
  const act = async (name: string, on = ""): Promise<void> => {
    const address = `${service.url}${actsPath}${name}?on=${encodeURIComponent(on)}`;
    const response = await fetch(address, { method: "POST" }).catch(() => exited);
    if (response?.ok === false) throw new Error(`${name}: ${await response.text()}\n${service.stderr()}`);
  };
  return {
    ...{ handle, client: createClient({ handle }) },
    wake: () => act("wake"),
    readBot: (publicId) => act("readBot", publicId),
    checkPayments: () => act("checkPayments"),
    async dieAt(death) {
      if (death === "in the midst") murder = setTimeout(kill, midstMs * Math.random());
      else await act("dieAt", death);
      return { reached: exited };
    },
    async livesOn() {
      clearTimeout(murder);
      if (!isDead) await act("dieAt");
      return !isDead;
    },
    die: kill,
    stop: kill,
  };
}
