import { type Config, StartError } from "../../config.ts";
import { codeOf, reasonOf } from "../thrown.ts";

/** A port that the processes of this node share. */
export type TakenPort = {
  readonly port: number;
  /** Releases the port. The first process that listens holds the port afterwards. */
  release(): Promise<void>;
};

/**
 * How long to wait for a port in use. The processes of a killed node continue to listen until they notice that their
 * supervisor has ended.
 */
const patienceMs = 5_000;
const pollMs = 50;

/**
 * Reserves the port that the processes will share. A configured port is first opened without sharing, because sharing
 * would hide that another program listens on the port. Another node of the same user would then get half of the
 * requests.
 */
export async function takePort(
  { HOST, PORT }: Pick<Config, "HOST" | "PORT">,
  setting: PortSetting = "PORT",
): Promise<TakenPort> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return tryPort({ hostname: HOST, port: PORT, setting });
    } catch (error) {
      if (performance.now() > until) throw error;
      await Bun.sleep(pollMs);
    }
  }
}

/** Reserves the port of the builder. If the port was not configured and is in use, a free port is reserved. */
export async function takeAppPort(
  { HOST }: Pick<Config, "HOST">,
  { number, isNamed }: { readonly number: number; readonly isNamed: boolean },
): Promise<TakenPort> {
  if (isNamed) return await takePort({ HOST, PORT: number }, "APP_PORT");
  try {
    return tryPort({ hostname: HOST, port: number, setting: "APP_PORT" });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return tryPort({ hostname: HOST, port: 0, setting: "APP_PORT" });
  }
}

/**
 * Throws a StartError if another program listens on a configured port. If the builder's port was not configured,
 * another port is used.
 */
export function requireFreePorts({
  HOST,
  PORT,
  app,
}: Pick<Config, "HOST" | "PORT"> & {
  readonly app: { readonly number: number; readonly isNamed: boolean } | undefined;
}): void {
  if (PORT !== 0) tryPort({ hostname: HOST, port: PORT });
  if (app?.isNamed && app.number !== 0) tryPort({ hostname: HOST, port: app.number, setting: "APP_PORT" });
}

/** The name of a setting that contains a port. */
export type PortSetting = "PORT" | "APP_PORT";

type Listening = { readonly hostname: string; readonly port: number; readonly setting?: PortSetting };

function tryPort(listening: Listening): TakenPort {
  const { hostname, port } = listening;
  if (port === 0) {
    const holder = attempt(listening, () =>
      Bun.serve({ hostname, port, reusePort: true, fetch: () => new Response(null, { status: 503 }) }),
    );
    return { port: holder.port ?? 0, release: () => holder.stop(true) };
  }
  attempt(listening, () => Bun.listen({ hostname, port, socket: { data() {} } })).stop(true);
  return { port, release: async () => {} };
}

/** Starts to listen. Throws a StartError with a message for the operator on failure. */
export function attempt<Server>({ hostname, port, setting = "PORT" }: Listening, listen: () => Server): Server {
  try {
    return listen();
  } catch (error) {
    const reason = reasonOf(error);
    const advice =
      codeOf(error) === "EADDRINUSE"
        ? `. Another program uses it, such as another Parley: end that program, or set ${setting} to another port.`
        : "";
    throw new StartError(`${setting} ${port} on HOST ${hostname} cannot be opened: ${reason}${advice}`, {
      cause: error,
    });
  }
}
