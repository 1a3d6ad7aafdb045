import { afterEach, expect, test } from "bun:test";
import { startBalancer } from "./balancer.ts";
import { cleanupStack } from "./service.ts";
import { waitFor } from "./wait.ts";

const cleanups = cleanupStack();
afterEach(cleanups.run);

async function start(respond: (request: Request, node: Node) => Response | Promise<Response> = say) {
  const nodes = ["one", "two"].map((name): Node => {
    const node = { name, isReady: true, url: "", stop: () => void server.stop(true) };
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch(request) {
        if (request.url.endsWith("/api/readyz")) return new Response("", { status: node.isReady ? 200 : 503 });
        return respond(request, node);
      },
    });
    cleanups.add(node.stop);
    node.url = server.url.origin;
    return node;
  });
  const balancer = startBalancer(() => nodes.map(({ url }) => url), { checkEveryMs: 5 });
  cleanups.add(balancer.close);
  await waitFor(() => balancer.inRotation().length === 2);
  return { nodes, balancer };
}

type Node = { readonly name: string; isReady: boolean; url: string; stop(): void };

function say(_: Request, { name }: Node): Response {
  return new Response(name);
}

test("the balancer distributes requests to the nodes in turn", async () => {
  const { balancer } = await start(async (request, { name }) => Response.json({ name, said: await request.text() }));

  const answers = [];
  for (const word of ["a", "b", "c", "d"]) {
    const response = await fetch(`${balancer.url}/any?path`, { method: "POST", body: word });
    answers.push(await response.json());
  }

  expect(answers).toEqual([
    { name: "one", said: "a" },
    { name: "two", said: "b" },
    { name: "one", said: "c" },
    { name: "two", said: "d" },
  ]);
  expect(balancer.counts).toEqual({ opened: 2, reused: 2 });
  expect(balancer.failures).toEqual([]);
});

test("the balancer sends no more requests to a node that is not ready", async () => {
  const { nodes, balancer } = await start();
  const [one, two] = nodes;

  if (one) one.isReady = false;
  await waitFor(() => balancer.inRotation().length === 1);
  const answers = await Promise.all([1, 2, 3].map(async () => (await fetch(balancer.url)).text()));

  expect(answers).toEqual(["two", "two", "two"]);
  expect(balancer.inRotation()).toEqual([two?.url ?? ""]);
});

test("the balancer closes a connection after a response with Connection: close", async () => {
  const { nodes, balancer } = await start(() => new Response("bye", { headers: { connection: "close" } }));

  for (const _ of nodes) await fetch(balancer.url);
  await waitFor(() => nodes.every(({ url }) => balancer.connectionsTo(url) === 0));

  expect(balancer.counts).toEqual({ opened: 2, reused: 0 });
});

test("the balancer forwards a chunked response completely", async () => {
  const pieces = ["first ", "second ", "third"];
  const { balancer } = await start(
    () =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            const piece = pieces.shift();
            if (piece === undefined) return controller.close();
            controller.enqueue(new TextEncoder().encode(piece));
            await Bun.sleep(0);
          },
        }),
      ),
  );

  expect(await (await fetch(balancer.url)).text()).toBe("first second third");
});

test("the balancer does not repeat a request whose connection breaks", async () => {
  let asked = 0;
  const { nodes, balancer } = await start(async () => {
    asked++;
    await new Promise(() => {});
    return new Response();
  });

  const answer = fetch(balancer.url, { method: "POST", body: "once" });
  await waitFor(() => asked === 1);
  for (const node of nodes) node.stop();
  const { status } = await answer;

  expect(status).toBe(502);
  expect(asked).toBe(1);
  expect(balancer.failures).toEqual([`POST / to ${nodes[0]?.url}: the connection was closed`]);
});
