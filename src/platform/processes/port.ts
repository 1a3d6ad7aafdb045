import { type Config, StartError } from "../../config.ts";
import { codeOf, reasonOf } from "../thrown.ts";

/** A port that this node's processes will share. */
export type TakenPort = {
  readonly port: number;
  /** Releases the port: the first process that listens holds it afterwards. */
  release(): Promise<void>;
};

/** Processes of a killed node listen for a moment longer: they stop as soon as they miss their supervisor. */
const patienceMs = 5_000;
const pollMs = 50;

/**
 * Finds the port that the processes will share. Sharing would hide that another program already listens on it (another
 * node of the same user would get half of the requests), so a port from the settings is first tried without sharing.
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

/** Reserves the port of the builder. If the port was not set and is taken, any free port is used. */
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
 * Throws a StartError if another program listens on a port from the settings; for a port of the builder that was not
 * set, another port is used.
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

/** The setting that names a port. */
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

/** Begins to listen, or throws a StartError with a sentence for the operator. */
export function attempt<Server>({ hostname, port, setting = "PORT" }: Listening, listen: () => Server): Server {
  try {
    return listen();
  } catch (error) {
    const reason = reasonOf(error);
    const advice =
      codeOf(error) === "EADDRINUSE"
        ? `. Another program uses it, such as another Parley: end that one, or set ${setting} to another port.`
        : "";
    throw new StartError(`${setting} ${port} on HOST ${hostname} cannot be listened on: ${reason}${advice}`, {
      cause: error,
    });
  }
}
