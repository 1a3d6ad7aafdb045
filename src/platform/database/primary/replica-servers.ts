import type { Socket } from "node:net";
import type { ServerAddress } from "./address.ts";
import { failedSocket, openTo } from "./server-socket.ts";
import type { ProbeTimes, Servers } from "./servers.ts";
import { watchSilence } from "./silence.ts";

/**
 * Opens sockets to the read replicas of a database. The first reachable replica is used, starting with the replica that
 * was used last. Sockets to a silent replica are closed. Replicas need not accept writes.
 */
export function createReplicaServers(servers: readonly ServerAddress[], { watchMs, silenceMs }: ProbeTimes): Servers {
  const silence = watchSilence({ everyMs: watchMs, silenceMs });
  let reached = 0;
  return {
    async openSocket(): Promise<Socket> {
      let problem: unknown;
      for (const index of servers.keys()) {
        const place = (reached + index) % servers.length;
        const server = servers[place];
        if (!server) continue;
        try {
          const socket = await openTo(server, silenceMs);
          silence.add(socket);
          reached = place;
          return socket;
        } catch (error) {
          problem = error;
        }
      }
      return failedSocket(problem);
    },
    close: silence.close,
  };
}
