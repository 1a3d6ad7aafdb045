import { createServer, connect as openSocket, type Socket } from "node:net";

/** The faults of a matching statement. Of several the first remaining one is used. */
export type StatementFault = {
  /** Matched against the statement's text. */
  readonly statement: RegExp;
  /** Number of matching statements to let through first. */
  readonly after?: number;
  /** The number of affected statements; by default all, until `end`. */
  readonly times?: number;
} & (
  | {
      /**
       * The server refuses the statement, which has no effect. With `isFatal` the connection ends as well, and the
       * server never got the statement; with `isCut` it ends before the server is ready for more.
       */
      readonly kind: "error";
      readonly sqlState: string;
      readonly isFatal?: boolean;
      readonly isCut?: boolean;
    }
  /** The connection is cut: before the server gets the statement, or after the commit and before its answer. */
  | { readonly kind: "cut"; readonly when: "before" | "after" }
  /**
   * From here on all connections are silent, as if the client had died: before the server gets the statement, or after
   * the commit and before its answer. The fault counts as met once they are. `thaw` ends it.
   */
  | { readonly kind: "death"; readonly when: "before" | "after" }
  /** The statement, with all that follows on its connection, reaches the server later. */
  | { readonly kind: "delay"; readonly ms: number }
  /** The statement, with all that follows on its connection, never reaches the server, and nothing is closed. */
  | { readonly kind: "silence" }
);

export type InjectedFault = {
  /** The number of affected statements. */
  met(): number;
  /** The texts of these statements. */
  statements(): readonly string[];
  /** Ends the fault. */
  end(): void;
};

export type DatabaseProxy = {
  readonly port: number;
  /** The proxied database, over TCP and through this proxy. */
  readonly url: string;
  /** Lets statements fail. */
  inject(fault: StatementFault): InjectedFault;
  /** From now on the server refuses new connections with this code, before it asks for a password. */
  reject(sqlState: string): void;
  /** Closes all connections, and from now on closes new ones at once. */
  refuse(): void;
  /** From now on nothing is forwarded, and nothing is closed, as if the machine had vanished. */
  freeze(): void;
  /** Ends `reject`, `refuse`, `freeze` and every fault, and forwards all held data. */
  thaw(): void;
  /** Closes all connections. */
  cut(): void;
  close(): Promise<void>;
};

type Gate = { readonly opened: Promise<void>; open(): void };

/**
 * A PostgreSQL on a TCP port of the loopback address, whose statements and connections fail on demand. It forwards
 * whole messages of the protocol. A statement that is to fail is replaced by one that raises the error, so that the
 * server itself answers it in order, and marks the transaction as failed. Supports the messages of postgres.js: simple
 * queries, and Parse, Bind and Execute; no TLS, no COPY.
 */
export async function openDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>();
  const faults: { readonly fault: StatementFault; toPass: number; left: number; readonly met: string[] }[] = [];
  let rejection: string | undefined;
  let isRefusing = false;
  let gate: Gate | undefined;

  const faultOf = (text: string): FoundFault | undefined => {
    for (const one of faults) {
      if (one.left === 0 || !one.fault.statement.test(text) || one.toPass-- > 0) continue;
      one.left--;
      return { fault: one.fault, noteMet: () => void one.met.push(text) };
    }
    return undefined;
  };
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const freeze = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate ??= { opened: promise, open: resolve };
  };
  const server = createServer((client) => {
    sockets.add(client);
    client.on("close", () => sockets.delete(client));
    client.on("error", () => client.destroy());
    if (isRefusing) client.destroy();
    else
      serveClient(client, {
        ...{ databaseUrl, faultOf, freeze },
        rejection: () => rejection,
        held: async () => gate?.opened,
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy does not listen on a port");
  const { port } = address;
  return {
    port,
    url: proxied(databaseUrl, port),
    inject(fault) {
      const { after: toPass = 0, times: left = Number.POSITIVE_INFINITY } = fault;
      const met: string[] = [];
      const injected = { fault, toPass, left, met };
      faults.push(injected);
      return {
        met: () => met.length,
        statements: () => met,
        end() {
          injected.left = 0;
        },
      };
    },
    reject(sqlState) {
      rejection = sqlState;
    },
    refuse() {
      isRefusing = true;
      cut();
    },
    freeze,
    thaw() {
      faults.length = 0;
      rejection = undefined;
      isRefusing = false;
      gate?.open();
      gate = undefined;
    },
    cut,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}

function proxied(databaseUrl: string, port: number): string {
  const url = new URL(databaseUrl);
  url.searchParams.delete("host");
  url.host = `127.0.0.1:${port}`;
  return url.href;
}

function connectBehind(databaseUrl: string): Socket {
  const { searchParams, hostname, port } = new URL(databaseUrl);
  const folder = searchParams.get("host");
  return folder === null ? openSocket(Number(port || 5432), hostname) : openSocket(`${folder}/.s.PGSQL.5432`);
}

type FoundFault = {
  readonly fault: StatementFault;
  noteMet(): void;
};

type Rules = {
  readonly databaseUrl: string;
  faultOf(text: string): FoundFault | undefined;
  rejection(): string | undefined;
  /** Resolves when messages may be forwarded. */
  held(): Promise<void>;
  /** From now on no message may be forwarded. */
  freeze(): void;
};

const sslRequest = 80_877_103;
const cancelRequest = 80_877_102;

/** Forwards messages both ways until one side closes. */
function serveClient(client: Socket, { databaseUrl, faultOf, rejection, held, freeze }: Rules): void {
  const behind = connectBehind(databaseUrl);
  const close = () => {
    client.destroy();
    behind.destroy();
  };
  client.on("close", close);
  behind.on("error", close);
  // A vanished machine does not close its connections.
  behind.on("close", () => void held().then(close));

  const statements = new Map<string, string>();
  /** Ends of sent and answered statements: each Sync, each simple query, and the start. */
  let asked = 1;
  let answered = 0;
  /** After this answer the connection is cut. Either none of it is forwarded, or all but its end. */
  let last: { readonly answer: number; readonly isTold: boolean } | undefined;
  /** This answer, with all that follows, is held back. */
  let lastWords: { readonly answer: number; noteMet(): void } | undefined;
  let isFailing = false;

  /** Resolves to whether the statement is forwarded. */
  const meet = async ({ fault, noteMet }: FoundFault): Promise<"passed" | "failed" | "gone"> => {
    if (fault.kind === "death" && fault.when === "after") {
      lastWords = { answer: asked + 1, noteMet };
      return "passed";
    }
    noteMet();
    switch (fault.kind) {
      case "error":
        if (fault.isCut) last = { answer: asked + 1, isTold: true };
        if (!fault.isFatal) return "failed";
        client.end(fatal(fault.sqlState));
        behind.destroy();
        return "gone";
      case "cut":
        if (fault.when === "after") {
          last = { answer: asked + 1, isTold: false };
          return "passed";
        }
        close();
        return "gone";
      case "death":
        freeze();
        await held();
        return "passed";
      case "delay":
        await Bun.sleep(fault.ms);
        return "passed";
      case "silence":
        return await new Promise<never>(() => {});
    }
  };
  const passStart = (message: Buffer): void => {
    const code = message.readInt32BE(4);
    const rejected = rejection();
    if (code === sslRequest) client.write("N");
    else if (code !== cancelRequest && rejected !== undefined) client.end(fatal(rejected));
    else behind.write(message);
  };
  const passFromClient = async (message: Buffer): Promise<void> => {
    await held();
    const [type, body] = [String.fromCharCode(message[0] ?? 0), message.subarray(5)];
    if (type === "P") {
      const [name = "", text = ""] = texts(body);
      statements.set(name, text);
    }
    if (type === "E" && isFailing) return;
    const [first = "", second = ""] = type === "Q" || type === "B" ? texts(body) : [];
    const found = type === "Q" ? faultOf(first) : type === "B" ? faultOf(statements.get(second) ?? "") : undefined;
    const outcome = found ? await meet(found) : "passed";
    const fault = found?.fault;
    if (outcome === "gone") return;
    // If a Bind was replaced, the Execute of its statement is dropped, too, up to the Sync.
    if (type === "S") isFailing = false;
    if (outcome === "failed" && type === "B") isFailing = true;
    if (type === "S" || type === "Q") asked++;
    if (outcome === "passed") behind.write(message);
    else if (fault?.kind === "error") behind.write(type === "Q" ? raiseSimply(fault.sqlState) : raise(fault.sqlState));
  };
  const passFromServer = async (message: Buffer): Promise<void> => {
    if (answered + 1 === lastWords?.answer) {
      freeze();
      lastWords.noteMet();
      lastWords = undefined;
    }
    await held();
    const isEnd = message[0] === "Z".charCodeAt(0);
    if (isEnd) answered++;
    const isOver = last !== undefined && answered + (isEnd ? 0 : 1) >= last.answer;
    const isTold = last?.isTold === true;
    if (!isOver || (isTold && !isEnd)) client.write(message);
    else if (isEnd && isTold) client.end(() => behind.destroy());
    else if (isEnd) close();
  };
  forEachMessage(client, { hasStart: true, onStart: passStart, onMessage: passFromClient });
  forEachMessage(behind, { hasStart: false, onStart: passStart, onMessage: passFromServer });
}

type Messages = {
  /** Whether the first messages have no letter, like those of a client. */
  readonly hasStart: boolean;
  onStart(message: Buffer): void;
  onMessage(message: Buffer): Promise<void>;
};

const startCode = 196_608;

/** Calls back for each whole message, one after another. */
function forEachMessage(socket: Socket, { hasStart, onStart, onMessage }: Messages): void {
  let rest: Buffer = Buffer.alloc(0);
  let isStarting = hasStart;
  let handled = Promise.resolve();
  const handle = async (): Promise<void> => {
    for (;;) {
      const letters = isStarting ? 0 : 1;
      if (rest.length < letters + 4) return;
      const end = letters + rest.readUInt32BE(letters);
      if (rest.length < end) return;
      const message = rest.subarray(0, end);
      rest = rest.subarray(end);
      if (!isStarting) await onMessage(message);
      else {
        onStart(message);
        isStarting = message.readInt32BE(4) !== startCode;
      }
    }
  };
  socket.on("data", (chunk) => {
    handled = handled.then(() => {
      rest = Buffer.concat([rest, Buffer.from(chunk)]);
      return handle();
    });
  });
}

/** The texts at the beginning of a message's body, each up to its zero. */
function texts(body: Buffer): string[] {
  return body.toString().split("\0", 2);
}

function messageOf(letter: string, ...parts: readonly string[]): Buffer {
  const body = Buffer.from(parts.join(""));
  const head = Buffer.from(`${letter}\0\0\0\0`);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

function raising(sqlState: string): string {
  return `do $$ begin raise exception using errcode = '${sqlState}', message = 'injected ${sqlState}'; end $$`;
}

/** Replaces a Bind and its Execute, without parameters and without a limit of rows. */
function raise(sqlState: string): Buffer {
  const none = "\0\0";
  return Buffer.concat([
    messageOf("P", "\0", raising(sqlState), "\0", none),
    messageOf("B", "\0", "\0", none, none, none),
    messageOf("E", "\0", "\0\0\0\0"),
  ]);
}

function raiseSimply(sqlState: string): Buffer {
  return messageOf("Q", raising(sqlState), "\0");
}

/** The last message of a server before it closes a connection. */
function fatal(sqlState: string): Buffer {
  return messageOf("E", "SFATAL\0", "VFATAL\0", `C${sqlState}\0`, `Minjected ${sqlState}\0`, "\0");
}
