import { afterEach, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { refuseConnections } from "../../../src/platform/processes/refuse-connections.ts";
import { cleanupStack } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";

const cleanups = cleanupStack();
afterEach(cleanups.run);

type Client = { readonly socket: Socket; isConnected: boolean; received: string; error: string };

function open(port: number, host: string): Client {
  const client: Client = { socket: connect(port, host), isConnected: false, received: "", error: "" };
  client.socket.on("connect", () => (client.isConnected = true));
  client.socket.on("data", (data) => (client.received += String(data)));
  client.socket.on("error", (error: Error & { code?: string }) => (client.error = error.code ?? error.message));
  cleanups.add(() => client.socket.destroy());
  return client;
}

test.skipIf(process.platform !== "linux").each(["127.0.0.1", "::1"])(
  "existing connections to %s are served, and new connections are refused after the listener has closed",
  async (hostname) => {
    const server = Bun.serve({ hostname, port: 0, reusePort: true, fetch: () => new Response("served") });
    cleanups.add(() => server.stop(true));
    const port = server.port ?? 0;
    const early = open(port, hostname);
    await waitFor(() => early.isConnected);

    expect(refuseConnections(port)).toBe(true);
    const late = open(port, hostname);
    early.socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await waitFor(() => early.received.endsWith("served"));
    expect(late).toMatchObject({ isConnected: false, error: "" });
    await server.stop();

    await waitFor(() => late.error !== "", { what: "the late one to be refused" });
    expect(late).toMatchObject({ isConnected: false, error: "ECONNREFUSED" });
  },
);

test("refuseConnections returns false for a port without a listener", () => {
  expect(refuseConnections(1)).toBe(false);
});
