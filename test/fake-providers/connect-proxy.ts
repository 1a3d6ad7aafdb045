import { connect, createServer, isIP, type Socket } from "node:net";

/** A received request for a tunnel to a server. */
export type AskedWay = { readonly target: string; readonly head: string };

export type FakeProxy = {
  /** The name of the proxy in PROVIDER_URLS. */
  readonly name: string;
  readonly origin: string;
  readonly port: number;
  readonly asked: readonly AskedWay[];
  close(): Promise<void>;
};

/**
 * Starts a proxy according to RFC 9110, 9.3.6 and 11.7.2. It handles CONNECT, responds with 407 to unknown users, and
 * joins both connections. It accepts only IP addresses, because it resolves no names. `answer` replaces the response to
 * every request, and an empty text means that the proxy never responds.
 */
export async function startFakeProxy({
  port = 0,
  user,
  answer,
  onAsked,
}: {
  readonly port?: number;
  /** The only user, or a function that checks whether an account may use the proxy. */
  readonly user?: string | ((account: string) => boolean);
  readonly answer?: string;
  readonly onAsked?: (asked: AskedWay) => void;
} = {}): Promise<FakeProxy> {
  const asked: AskedWay[] = [];
  const open = new Set<Socket>();
  const isKnown = (account: string): boolean =>
    user === undefined || (typeof user === "string" ? account === user : user(account));
  const server = createServer((client) => {
    open.add(client);
    client.on("error", () => client.destroy());
    client.on("close", () => open.delete(client));
    let head = "";
    const onData = (part: Buffer): void => {
      head += part.toString("latin1");
      if (!head.includes("\r\n\r\n")) return;
      client.off("data", onData);
      const [, target = ""] = /^CONNECT (\S+) HTTP\/1\.1\r\n/.exec(head) ?? [];
      asked.push({ target, head });
      onAsked?.({ target, head });
      if (answer !== undefined) return void (answer === "" ? undefined : client.end(answer));
      const [, account = ""] = /\r\nProxy-Authorization: Basic (\S+)\r\n/.exec(head) ?? [];
      if (!isKnown(atob(account)))
        return void client.end("HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n");
      const [, host = "", at] = /^\[?(.+?)\]?:(\d+)$/.exec(target) ?? [];
      if (isIP(host) === 0) return void client.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      let isJoined = false;
      const upstream = connect(Number(at), host, () => {
        isJoined = true;
        client.write("HTTP/1.1 200 Connection established\r\nVia: fake\r\n\r\n");
        client.pipe(upstream);
        upstream.pipe(client);
      });
      upstream.on("error", () => {
        if (isJoined) client.resetAndDestroy();
        else client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
      });
      client.on("close", () => upstream.destroy());
    };
    client.on("data", onData);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()));
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    ...{ name: "http-proxy", origin: `http://127.0.0.1:${bound}`, port: bound },
    asked,
    close: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
