import { afterAll, beforeAll, expect, test } from "bun:test";
import { createServer, connect as openSocket, type Server, Socket } from "node:net";
import { createThreads } from "../../src/chat/threads/threads.ts";
import { blocks } from "../../src/core/blocks/index.ts";
import { systemClock } from "../../src/platform/concurrency/clock.ts";
import { createSandbox } from "../../src/platform/sandbox/index.ts";
import { createTestApi, type TestApi } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, publish, says, start } from "../support/chat.ts";

/**
 * Upper bounds for one warm step, and for a start whose bot is cached. A commit that raises a bound must explain why,
 * because every chat pays the cost.
 */
const mostOfStep = { turns: 30, statements: 1, parameters: 21, bytesSent: 1_330, bytesReceived: 37, headersRead: 17 };
const mostOfStart = { turns: 39, statements: 1, parameters: 30, bytesSent: 1_345, bytesReceived: 37, headersRead: 17 };

const kinds = ["turns", "statements", "parameters", "bytesSent", "bytesReceived", "headersRead"] as const;
type Cost = Record<(typeof kinds)[number], number>;

const cost: Cost = { turns: 0, statements: 0, parameters: 0, bytesSent: 0, bytesReceived: 0, headersRead: 0 };
const threads = createThreads({ count: 1, inline: { blocks, createSandbox } });
let api: TestApi;
let publicId: string;
let wire: Server;
let wirePort = 0;

beforeAll(async () => {
  api = await createTestApi({ threads, through: countedWire, connections: 1 });
  const owner = await api.makeUser();
  const workspaceId = await api.makeWorkspace(owner);
  const number = asks("number input", { variableId: idOf("Name") });
  const again = { ...says("So it is {{Name}}."), outgoingEdgeId: idOf("again") };
  const flow = flowOf([number, again]);
  const edge = { id: idOf("again"), from: { blockId: again.id }, to: { groupId: idOf("g0") } };
  const edges = [...flow.edges, edge];
  ({ publicId } = await publish(api.client, { token: owner.token, workspaceId }, { ...flow, edges }));
});
afterAll(async () => {
  await threads.close();
  await api.close();
  wire.close();
});

test("a warm step and a start run one statement each", async () => {
  const sessionId = (await start(api.client, publicId)).text("sessionId");
  const path = `/api/v1/sessions/${sessionId}/continueChat`;
  const startPath = `/api/v1/bots/${publicId}/startChat`;
  // Compiles the flow, and prepares the statements.
  for (let warm = 0; warm < 4; warm++) {
    await post(path, { message: "4" });
    await post(startPath, {});
  }

  const step = await costOf(() => post(path, { message: "5" }));
  const begin = await costOf(() => post(startPath, {}));

  expect({ step: above(step, mostOfStep), begin: above(begin, mostOfStart) }).toEqual({ step: [], begin: [] });
});

/** Returns the smallest of several measurements, because other work of the service adds statements. */
async function costOf(work: () => Promise<void>): Promise<Cost> {
  const costs: Cost[] = [];
  for (let index = 0; index < 7; index++) {
    const before = { ...cost };
    await work();
    const counted = { ...cost };
    for (const kind of kinds) counted[kind] -= before[kind];
    costs.push(counted);
  }
  const [least] = costs.toSorted((a, b) => a.bytesSent - b.bytesSent);
  if (!least) throw new Error("Nothing was counted");
  return least;
}

function above(counted: Cost, most: Cost): string[] {
  return kinds
    .filter((kind) => counted[kind] > most[kind] || counted[kind] === 0)
    .map((kind) => `${kind}: ${counted[kind]}`);
}

async function post(path: string, body: object): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  const request = new Request(`http://localhost${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const response = await countingTurns(() => api.handle(countingHeaders(request)));
  if (response.status !== 200) throw new Error(`A step failed: ${await response.text()}`);
  await response.text();
}

/**
 * Counts the turns of the promise queue, one for each of the consecutive awaits. The count pauses at `setImmediate`,
 * and resumes when data of the database arrive.
 */
async function countingTurns(handle: () => Promise<Response>): Promise<Response> {
  let isOver = false;
  const count = async () => {
    const begun = cost.turns;
    while (!isOver && cost.turns - begun < 500) {
      cost.turns++;
      await null;
    }
  };
  const { setImmediate: later } = systemClock;
  const { emit } = Socket.prototype;
  Object.assign(systemClock, {
    setImmediate(callback: () => void) {
      isOver = true;
      later(callback);
    },
  });
  Socket.prototype.emit = function (this: Socket, ...args: Parameters<typeof emit>) {
    const isHeard = Reflect.apply(emit, this, args);
    if (args[0] === "data" && this.remotePort === wirePort) {
      isOver = false;
      void count();
    }
    return isHeard;
  };
  try {
    const answer = handle();
    void count();
    const response = await answer;
    isOver = true;
    return response;
  } finally {
    Object.assign(systemClock, { setImmediate: later });
    Socket.prototype.emit = emit;
  }
}

function countingHeaders(request: Request): Request {
  const { headers } = request;
  const counted = new Proxy(headers, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        cost.headersRead++;
        return Reflect.apply(member, target, args);
      };
    },
  });
  return Object.defineProperty(request, "headers", { value: counted });
}

/** Forwards the database's bytes, and counts the bytes, the statements (Bind messages) and their parameters. */
async function countedWire(databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl);
  const target = `${url.searchParams.get("host")}/.s.PGSQL.${url.port || "5432"}`;
  wire = createServer((socket) => {
    const server = openSocket(target);
    let unread: Buffer = Buffer.alloc(0);
    let isStarted = false;
    socket.on("data", (part: Buffer) => {
      cost.bytesSent += part.byteLength;
      server.write(part);
      unread = Buffer.concat([unread, part]);
      for (;;) {
        const head = isStarted ? 1 : 0;
        if (unread.byteLength < head + 4 || unread.byteLength < head + unread.readInt32BE(head)) return;
        const message = unread.subarray(0, head + unread.readInt32BE(head));
        unread = unread.subarray(message.byteLength);
        if (isStarted && message[0] === bind) countBind(message);
        isStarted = true;
      }
    });
    server.on("data", (part: Buffer) => {
      cost.bytesReceived += part.byteLength;
      socket.write(part);
    });
    for (const [from, to] of [
      [socket, server],
      [server, socket],
    ] as const) {
      from.on("error", () => to.destroy());
      from.on("close", () => to.destroy());
    }
  });
  const listening = Promise.withResolvers<void>();
  wire.listen(0, "127.0.0.1", () => listening.resolve());
  await listening.promise;
  const address = wire.address();
  if (typeof address !== "object" || address === null) throw new Error("The wire has no port");
  wirePort = address.port;
  return `postgres://${url.username}:${url.password}@127.0.0.1:${wirePort}${url.pathname}`;
}

const bind = "B".charCodeAt(0);

/**
 * Counts a statement and its parameters. A Bind message contains a portal's name, a statement's name, formats, and the
 * number of parameters.
 */
function countBind(message: Buffer): void {
  const statement = message.indexOf(0, 5) + 1;
  const formats = message.indexOf(0, statement) + 1;
  cost.statements++;
  cost.parameters += message.readInt16BE(formats + 2 + 2 * message.readInt16BE(formats));
}
