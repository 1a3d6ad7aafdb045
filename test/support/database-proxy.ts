import { createServer, connect as openSocket, type Socket } from "node:net";

/** A fault for matching statements. If several faults match, the first remaining fault is used. */
export type StatementFault = {
  /** Matched against the statement's text. */
  readonly statement: RegExp;
  /** The number of matching statements that are forwarded first. */
  readonly after?: number;
  /** The number of statements to fail. Defaults to all statements until `end` is called. */
  readonly times?: number;
} & (
  | {
      /**
       * The server rejects the statement, which has no effect. With `isFatal`, the connection also ends, and the server
       * never receives the statement. With `isCut`, the connection ends before the server is ready for more statements.
       */
      readonly kind: "error";
      readonly sqlState: string;
      readonly isFatal?: boolean;
      readonly isCut?: boolean;
    }
  /** The connection is closed before the server receives the statement, or after the commit and before the response. */
  | { readonly kind: "cut"; readonly when: "before" | "after" }
  /**
   * All connections become silent, as if the client had died: before the server receives the statement, or after the
   * commit and before its response. The fault then counts as met. `thaw` ends the fault.
   */
  | { readonly kind: "death"; readonly when: "before" | "after" }
  /** The statement and everything after it on its connection reach the server later. */
  | { readonly kind: "delay"; readonly ms: number }
  /** The statement and everything after it on its connection never reach the server, and nothing is closed. */
  | { readonly kind: "silence" }
);

export type InjectedFault = {
  met(): number;
  statements(): readonly string[];
  end(): void;
};

export type DatabaseProxy = {
  readonly port: number;
  /** The URL of the database through this proxy, over TCP. */
  readonly url: string;
  /** Applies a fault to matching statements. */
  inject(fault: StatementFault): InjectedFault;
  /** From now on, new connections are rejected with this code, before a password is requested. */
  reject(sqlState: string): void;
  /** Closes all connections, and from now on closes new connections immediately. */
  refuse(): void;
  /** From now on, nothing is forwarded and nothing is closed, as if the machine had vanished. */
  freeze(): void;
  /** Ends `reject`, `refuse` and `freeze`, removes every fault, and forwards the data that `freeze` has withheld. */
  thaw(): void;
  cut(): void;
  close(): Promise<void>;
};

type Gate = { readonly opened: Promise<void>; open(): void };

/**
 * Opens a PostgreSQL proxy on a TCP port of the loopback address. Its statements and connections fail on demand. It
 * forwards whole protocol messages. A failing statement is replaced by a statement that raises the error, so that the
 * server itself responds in order and marks the transaction as failed. The proxy supports the messages of postgres.js:
 * simple queries, Parse, Bind and Execute. It supports neither TLS nor COPY.
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
  held(): Promise<void>;
  freeze(): void;
};

const sslRequest = 80_877_103;
const cancelRequest = 80_877_102;

/** Forwards messages in both directions until one side closes. */
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
  /** The numbers of sent and answered requests. The start, each simple query and each Sync count as one request. */
  let asked = 1;
  let answered = 0;
  /**
   * The connection is closed at this response. Either nothing of the response is forwarded, or everything except its
   * end.
   */
  let last: { readonly answer: number; readonly isTold: boolean } | undefined;
  /** This response and everything after it are not forwarded. */
  let lastWords: { readonly answer: number; noteMet(): void } | undefined;
  let isFailing = false;

  /** Applies a fault. Returns whether the statement is forwarded, replaced by an error, or lost with its connection. */
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
    // If a Bind was replaced, the Execute of its statement is dropped as well, up to the Sync.
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
  /** Whether the first messages have no type letter, as those of a client. */
  readonly hasStart: boolean;
  onStart(message: Buffer): void;
  onMessage(message: Buffer): Promise<void>;
};

const startCode = 196_608;

/** Calls back sequentially for each whole message. */
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

/** Returns the first two zero-terminated texts of a message's body. */
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

/** Returns messages that replace a Bind and its Execute, without parameters and without a row limit. */
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

/** Returns the last message of a server before it closes a connection. */
function fatal(sqlState: string): Buffer {
  return messageOf("E", "SFATAL\0", "VFATAL\0", `C${sqlState}\0`, `Minjected ${sqlState}\0`, "\0");
}
