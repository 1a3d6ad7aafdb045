import { afterEach, describe, expect, test } from "bun:test";
import type { ServerResponse } from "node:http";
import { isPublicAddress } from "../../src/core/flow/outgoing-rules.ts";
import { fetchForLibraries } from "../../src/effects/safe-fetch/fetch-for-libraries.ts";
import { noHops } from "../../src/effects/safe-fetch/hops.ts";
import { FailedCall, RefusedCall, type SafeFetchOptions } from "../../src/effects/safe-fetch/safe-fetch.ts";
import { BusyCall } from "../../src/effects/safe-fetch/safe-fetch-exchange.ts";
import { createSafeStream, type StreamRequest } from "../../src/effects/safe-fetch/safe-fetch-stream.ts";
import { limits } from "../../src/limits/index.ts";
import { type OutsideRequest, type OutsideServer, startOutside } from "../support/outside.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { waitFor } from "../support/wait.ts";

const servers: OutsideServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** Starts a server, and returns functions that call it. The loopback address counts as public. */
async function outside(
  answer: (response: ServerResponse, request: OutsideRequest) => void,
  options: SafeFetchOptions = {},
) {
  const server = await startOutside((request, response) => answer(response, request));
  servers.push(server);
  const stream = createSafeStream({
    permits: (found, rules) => found === "127.0.0.1" || isPublicAddress(found, rules),
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    ...options,
  });
  const request: StreamRequest = { ...times, url: server.url("/v1"), method: "POST", headers: [], hops: noHops };
  return { server, stream, request, call: (more: Partial<StreamRequest> = {}) => stream({ ...request, ...more }) };
}

const times = { firstByteMs: 20_000, silenceMs: 20_000, timeoutMs: 25_000 };
const events = { "Content-Type": "text/event-stream" };

async function textOf(body: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const piece of body) text += decoder.decode(piece, { stream: true });
  return text;
}

/** Returns the error that occurs while the whole response is read. */
async function failureOf(body: ReadableStream<Uint8Array>): Promise<FailedCall> {
  const error = await textOf(body).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof FailedCall) return error;
  throw new Error(`It did not fail as calls do: ${error}`);
}

describe("a streamed response", () => {
  test("a streamed response returns each chunk as it arrives", async () => {
    let sender: ServerResponse | undefined;
    const { call } = await outside((response) => {
      sender = response;
      response.writeHead(201, events).flushHeaders();
    });

    const { status, headers, body } = await call();
    expect([status, headers.get("content-type")]).toEqual([201, "text/event-stream"]);
    const reader = body.getReader();
    for (const piece of ["data: one\n\n", "data: two\n\n"]) {
      sender?.write(piece);
      expect(new TextDecoder().decode((await reader.read()).value)).toBe(piece);
    }
    sender?.end();
    expect((await reader.read()).done).toBe(true);
  });

  test("a streamed call requests no compression, and rejects a compressed response", async () => {
    const { server, call } = await outside((response) => response.end("plain"));
    expect(await textOf((await call()).body)).toBe("plain");
    expect(server.requests[0]?.headers["accept-encoding"]).toBe("identity");

    const packed = await outside((response) => response.writeHead(200, { "Content-Encoding": "gzip" }).end("x"));
    await expect(packed.call()).rejects.toThrow("The response is compressed");
  });

  test("a streamed call sends a body of bytes with its length", async () => {
    const { server, call } = await outside((response) => response.end());
    await textOf((await call({ body: new Uint8Array([0x61, 0xff, 0x62]) })).body);
    expect(server.requests[0]?.headers["content-length"]).toBe("3");
  });

  test("a streamed response slows down the sender if the reader does not read", async () => {
    let sent = 0;
    const { call } = await outside((response) => {
      const piece = Buffer.alloc(64 * 1024, "x");
      response.writeHead(200);
      const more = (): void => {
        while (sent < limits.streams.answerBytes && response.write(piece)) sent += piece.length;
      };
      response.on("drain", more);
      more();
    });
    const { body } = await call();
    const reader = body.getReader();
    await reader.read();

    const held = sent;
    expect(held).toBeLessThan(limits.streams.answerBytes);
    await reader.cancel();
  });
});

describe("a response that ends early", () => {
  test("a response that is cut off throws an error after the received data", async () => {
    let sender: ServerResponse | undefined;
    const { call } = await outside((response) => (sender = response.writeHead(200, events)));
    const calling = call({ holdMs: () => 60_000 });
    await waitFor(() => sender !== undefined);
    sender?.write("one");
    const reader = (await calling).body.getReader();
    const read = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await read()).toBe("one");
    const last = read();
    sender?.write("two", () => sender?.socket?.end());

    expect(await last).toBe("two");
    expect(await reader.read().catch((error: unknown) => error)).toMatchObject({ kind: "network" });
  });

  test("reading a response that is too long fails", async () => {
    const long = await outside((response) => response.end(Buffer.alloc(limits.streams.answerBytes + 1, "x")));
    expect((await failureOf((await long.call()).body)).message).toContain("The response is larger than");

    const line = await outside((response) => {
      response.writeHead(200, events);
      response.end(`data: ${"x".repeat(10 * 1024 * 1024 - 100)}`);
    });
    expect((await failureOf((await line.call()).body)).message).toContain("A line is longer than");

    const lines = await outside((response) => {
      response.writeHead(200, events).end(`data: ${"x".repeat(1_000)}\n`.repeat(5_000));
    });
    expect((await textOf((await lines.call()).body)).length).toBe(1_007 * 5_000);
  });

  test("a response times out without a first byte, or without further data", async () => {
    const clock = createVirtualClock();
    let sender: ServerResponse | undefined;
    const { server, call } = await outside((response) => (sender = response), { clock });
    const quick = { firstByteMs: 60, silenceMs: 120, timeoutMs: 1_000 };

    const none = call(quick);
    const refused = none.catch((error: unknown) => error);
    await waitFor(() => server.requests.length === 1);
    await clock.advance(60);
    expect(await refused).toMatchObject({ kind: "timeout", message: "There was no response within 60 ms" });

    const silent = call(quick);
    await waitFor(() => server.requests.length === 2);
    sender?.writeHead(200, events).write("data: one\n\n");
    const { body } = await silent;
    const reader = body.getReader();
    await reader.read();
    const failed = reader.read().catch((error: unknown) => error);
    await clock.advance(119);
    await clock.advance(1);
    expect(await failed).toMatchObject({ kind: "timeout", message: "No data arrived within 120 ms" });
    expect(clock.timers()).toBe(0);
  });

  test("a response can be aborted by its caller, and an aborted call is not sent", async () => {
    let closed = false;
    const { server, call } = await outside((response) => {
      response.on("close", () => (closed = true));
      response.writeHead(200, events).write("data: one\n\n");
    });
    const controller = new AbortController();
    const { body } = await call({ signal: controller.signal });
    const failure = failureOf(body);
    controller.abort();
    expect((await failure).message).toBe("The call was aborted");
    await waitFor(() => closed);

    await expect(call({ signal: AbortSignal.abort() })).rejects.toThrow();
    expect(server.requests).toHaveLength(1);
    expect(await server.openConnections()).toBe(0);
  });

  test("a response is aborted if its reader is cancelled", async () => {
    let closed = false;
    const { call } = await outside((response) => {
      response.on("close", () => (closed = true));
      response.writeHead(200, events).write("data: one\n\n");
    });
    await (await call()).body.cancel();
    await waitFor(() => closed);
  });
});

describe("the rules of a streamed call", () => {
  test("a streamed call refuses redirects and addresses that are not public", async () => {
    const { server, call, request } = await outside((response) => {
      response.writeHead(307, { Location: "http://169.254.169.254/" }).end();
    });
    await expect(call()).rejects.toThrow("The server redirects to another address, and this call follows no redirects");

    const strict = createSafeStream({ resolve: async () => [{ address: "10.0.0.5", family: 4 }] });
    await expect(strict(request)).rejects.toBeInstanceOf(RefusedCall);
    for (const url of [
      "http://127.0.0.1/",
      "http://localhost/",
      "http://[::1]/",
      "http://169.254.169.254/",
      "ftp://a.example/",
    ]) {
      await expect(strict({ ...request, url })).rejects.toBeInstanceOf(RefusedCall);
    }
    expect(server.requests).toHaveLength(1);
  });

  test("a streamed call may use a listed model server only for a model", async () => {
    const { server, request } = await outside((response) => response.end("here"));
    const url = `http://localhost:${server.port}/v1`;
    const stream = createSafeStream({ modelServers: new Set([new URL(url).origin]) });

    expect(await textOf((await stream({ ...request, url, trusted: "models" })).body)).toBe("here");
    await expect(stream({ ...request, url })).rejects.toThrow("This host cannot be called");
  });

  test("a completed streamed call releases its slot", async () => {
    const { call, server } = await outside((response) => response.writeHead(200).end("x"));
    for (let index = 0; index < limits.streams.calls + 5; index++) await textOf((await call()).body);
    expect(server.requests).toHaveLength(limits.streams.calls + 5);
  });
});

describe("calls above the concurrency limit of a node", () => {
  test("calls above the concurrency limit wait or are refused", async () => {
    const clock = createVirtualClock();
    const open: ServerResponse[] = [];
    const { call, server } = await outside((response) => void open.push(response), { clock });
    const most = limits.streams.calls + limits.streams.waiting;
    const long = { firstByteMs: 60_000, silenceMs: 60_000, timeoutMs: 60_000 };
    /** Each call belongs to a different workspace. */
    const of = (index: number) => call({ ...long, hops: { count: 1, workspaceId: `w${index}`, root: null } });

    const underWay = Array.from({ length: limits.streams.calls }, (_, index) => of(index));
    await waitFor(() => server.requests.length === limits.streams.calls);
    const waiting = Array.from({ length: limits.streams.waiting }, (_, index) => of(limits.streams.calls + index));
    const outcomes = Promise.allSettled(waiting);
    await expect(of(most)).rejects.toBeInstanceOf(BusyCall);

    // A free slot is assigned to the first waiting call.
    open[0]?.end("done");
    expect(await textOf((await Promise.race(underWay)).body)).toBe("done");
    await waitFor(() => server.requests.length === limits.streams.calls + 1);
    await clock.advance(limits.streams.waitMs);
    for (const response of open.slice(1)) response.end();
    const ended = await outcomes;
    await Promise.all(underWay);

    expect(ended.map(({ status }) => status === "fulfilled")).toEqual([true, ...Array(ended.length - 1).fill(false)]);
    expect(ended.slice(1).every((one) => one.status === "rejected" && one.reason instanceof BusyCall)).toBe(true);
    expect(server.requests).toHaveLength(limits.streams.calls + 1);
  });
});

describe("a stream with the interface of fetch", () => {
  test("a stream with the fetch interface sends text and form bodies", async () => {
    const { server, stream, request } = await outside((response, { headers }) =>
      response.writeHead(200, { "X-Said": "yes" }).end(JSON.stringify({ type: headers["content-type"] })),
    );
    const fetch = fetchForLibraries(stream, { ...times, hops: noHops });
    const form = new FormData();
    form.set("file", new File([new Uint8Array([1, 2, 3])], "speech.mp3"));

    const json = { "Content-Type": "application/json" };
    const text = await fetch(request.url, { method: "POST", headers: json, body: '{"a":1}' });
    expect([text.status, text.headers.get("x-said"), await text.json()]).toEqual([
      200,
      "yes",
      { type: "application/json" },
    ]);
    expect(server.requests[0]?.body).toBe('{"a":1}');
    expect((await (await fetch(new Request(request.url, { method: "POST", body: form }))).json()).type).toContain(
      "multipart/form-data; boundary=",
    );
    expect(server.requests[1]?.body).toContain('filename="speech.mp3"');
  });

  test("a stream with the fetch interface rejects calls to forbidden addresses", async () => {
    const { stream, server } = await outside((response) => response.writeHead(204).end());
    const fetch = fetchForLibraries(stream, { ...times, hops: noHops });

    expect((await fetch(server.url())).body).toBeNull();
    await expect(fetch("http://127.0.0.2/")).rejects.toBeInstanceOf(RefusedCall);
  });
});
