import { connect as connectSocket, Socket } from "node:net";
import type { ServerAddress } from "./address.ts";

/** The error of a connection that the server has closed, or on which the server is silent. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly code = "CONNECTION_CLOSED";
}

/**
 * Resolves to the socket once it is connected. Rejects with the socket's error, or with a `ConnectionError` if the
 * server is silent.
 */
export function openTo({ host, port }: ServerAddress, silenceMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket(host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new ConnectionError("does not respond"));
    }, silenceMs);
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    socket.once("error", fail);
    socket.once("connect", () => {
      clearTimeout(timer);
      socket.off("error", fail);
      // The driver verifies the server's certificate against this host name.
      resolve(Object.assign(socket, { host, port }));
    });
  });
}

/**
 * Returns a socket that fails as soon as the driver listens for errors. The driver never frees a connection whose
 * socket could not be opened.
 */
export function failedSocket(cause: unknown): Socket {
  const socket = new Socket();
  const error = cause instanceof Error ? cause : new Error(String(cause), { cause });
  setImmediate(() => socket.destroy(error));
  return socket;
}
