import { type Config, StartError } from "../config.ts";

/** A port that this node's processes will share. */
export type TakenPort = {
  readonly port: number;
  /** Gives it up: the first process that listens holds it from then on. */
  release(): Promise<void>;
};

/** What a killed node left behind still listens for a moment: it stops as soon as it misses its supervisor. */
const patienceMs = 5_000;
const pollMs = 50;

/**
 * Finds the port that the processes are to share. Sharing hides that somebody else listens there already (another
 * node of the same user would get half of the requests), so a port that was named is tried without sharing first.
 */
export async function takePort({ HOST, PORT }: Pick<Config, "HOST" | "PORT">): Promise<TakenPort> {
  const listening = { hostname: HOST, port: PORT };
  if (PORT === 0) {
    const holder = attempt(listening, () =>
      Bun.serve({ ...listening, reusePort: true, fetch: () => new Response(null, { status: 503 }) }),
    );
    return { port: holder.port ?? 0, release: () => holder.stop(true) };
  }
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      attempt(listening, () => Bun.listen({ ...listening, socket: { data() {} } })).stop(true);
      return { port: PORT, release: async () => {} };
    } catch (error) {
      if (performance.now() > until) throw error;
      await Bun.sleep(pollMs);
    }
  }
}

/** Begins to listen, or throws a StartError with a sentence for the operator. */
export function attempt<Server>({ hostname, port }: { hostname: string; port: number }, listen: () => Server): Server {
  try {
    return listen();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`PORT ${port} on HOST ${hostname} cannot be listened on: ${reason}`, { cause: error });
  }
}
