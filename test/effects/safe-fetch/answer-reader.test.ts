import { describe, expect, test } from "bun:test";
import { array, assert as check, constantFrom, integer, property, record, string, uint8Array } from "fast-check";
import {
  type AnswerReader,
  createAnswerReader,
  type ReadAnswer,
} from "../../../src/effects/safe-fetch/answer-reader.ts";
import { FailedCall } from "../../../src/effects/safe-fetch/safe-fetch.ts";

const newReader = ({ method = "POST", most = 1_000 } = {}): AnswerReader => createAnswerReader({ method, most });

/** The answer in this text, which must be complete by its last byte, or by the closing of the connection. */
function read(
  text: string,
  { method, most, isClosed = false }: { method?: string; most?: number; isClosed?: boolean } = {},
) {
  const reader = newReader({ ...(method && { method }), ...(most && { most }) });
  const isComplete = reader.add(Buffer.from(text, "latin1"));
  expect([isComplete, isComplete || reader.close()]).toEqual([!isClosed, true]);
  const { body, ...rest } = reader.result();
  return { ...rest, body: body.toString() };
}

describe("an answer", () => {
  test.each<[string, string, object]>([
    ["a length", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", { status: 200, body: "ok", isReusable: true }],
    ["no reason", "HTTP/1.1 404\r\ncontent-length:0\r\n\r\n", { status: 404, body: "", isReusable: true }],
    ["no body", "HTTP/1.1 204 No Content\r\n\r\n", { status: 204, body: "", isReusable: true }],
    [
      "chunks",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n3;x=1\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n",
      { body: "abc0123456789", isReusable: true },
    ],
    [
      "trailers",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nA: b\r\n\r\n",
      { body: "abc", isReusable: false },
    ],
    [
      "interim ones before it",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx",
      { status: 200, body: "x", isReusable: true },
    ],
    ["an older version", "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx", { body: "x", isReusable: false }],
    ["a close", "HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 1\r\n\r\nx", { body: "x", isReusable: false }],
    ["more bytes than its own", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxy", { body: "x", isReusable: false }],
    [
      "headers that repeat",
      "HTTP/1.1 503 Busy\r\nRetry-After: 3\r\nX: a\r\nX: b\r\nContent-Length: 0\r\n\r\n",
      { headers: expect.objectContaining({ "retry-after": "3", x: "a, b" }) },
    ],
  ])("with %s", (_, text, found) => {
    expect(read(text)).toMatchObject(found);
  });

  test("that has neither a length nor chunks ends with its connection", () => {
    const text = "HTTP/1.1 200 OK\r\n\r\nall of it";

    expect(read(text, { isClosed: true })).toMatchObject({ body: "all of it", isReusable: false });
  });

  test("to HEAD has no body, whatever length it names", () => {
    const text = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n";

    expect(read(text, { method: "HEAD" })).toMatchObject({ body: "", isReusable: true });
  });

  test.each([
    ["a length", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789"],
    ["chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n0123456789"],
    ["its connection", "HTTP/1.1 200 OK\r\n\r\n0123456789"],
  ])("of which the beginning was enough leaves a connection that is of no more use: an end by %s", (_, text) => {
    expect(read(text, { most: 4 })).toMatchObject({ body: "0123", isReusable: false });
  });

  test.each([
    ["a length", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab"],
    ["chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n"],
    ["its head", "HTTP/1.1 200 OK\r\nContent-Le"],
  ])("that breaks off is not complete: an end by %s", (_, text) => {
    const reader = newReader();

    expect([reader.add(Buffer.from(text)), reader.close()]).toEqual([false, false]);
  });

  test.each([
    ["another protocol", "SSH-2.0-OpenSSH_9.6\r\n"],
    ["another version", "HTTP/2 200\r\n\r\n"],
    ["no status", "HTTP/1.1 OK\r\n\r\n"],
    ["a length and an encoding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n"],
    ["a length that is no number", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"],
    ["a header over two lines", "HTTP/1.1 200 OK\r\nX: a\r\n b\r\n\r\n"],
    ["a header without a name", "HTTP/1.1 200 OK\r\n: a\r\n\r\n"],
    ["a chunk without a length", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n"],
    ["a chunk longer than it says", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n"],
    ["a head without end", `HTTP/1.1 200 OK\r\nX: ${"a".repeat(20_000)}`],
    ["a chunk's length without end", `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${"1".repeat(20_000)}`],
  ])("that is no HTTP/1.1 is refused: %s", (_, text) => {
    expect(() => newReader().add(Buffer.from(text))).toThrow(FailedCall);
  });

  test("is the same in whatever pieces it arrives", () => {
    const bodies = array(uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 5 });
    const framings = constantFrom("length", "chunks", "close");
    check(
      property(
        record({
          bodies,
          framing: framings,
          value: string({ unit: "grapheme-ascii" }),
          cuts: array(integer({ min: 1, max: 30 })),
        }),
        ({ bodies, framing, value, cuts }) => {
          const bytes = answerBytes(bodies, framing, value);
          expect(inPieces(bytes, cuts)).toEqual(inPieces(bytes, []));
          expect(inPieces(bytes, []).body).toEqual(Buffer.concat(bodies));
        },
      ),
    );
  });
});

function answerBytes(bodies: readonly Uint8Array[], framing: string, value: string): Buffer {
  const whole = Buffer.concat(bodies);
  const chunks = bodies.flatMap((body) => [
    Buffer.from(`${body.byteLength.toString(16)}\r\n`),
    body,
    Buffer.from("\r\n"),
  ]);
  const end = {
    length: `Content-Length: ${whole.byteLength}\r\n`,
    chunks: "Transfer-Encoding: chunked\r\n",
    close: "",
  };
  const head = `HTTP/1.1 200 OK\r\nX: ${value}\r\n${Object.entries(end).find(([name]) => name === framing)?.[1]}\r\n`;
  const body = framing === "chunks" ? [...chunks, Buffer.from("0\r\n\r\n")] : [whole];
  return Buffer.concat([Buffer.from(head), ...body]);
}

function inPieces(bytes: Buffer, cuts: readonly number[]): Omit<ReadAnswer, "isReusable"> {
  const reader = newReader();
  let rest = bytes;
  let isComplete = false;
  for (const cut of [...cuts, bytes.byteLength]) {
    if (isComplete || rest.byteLength === 0) break;
    isComplete = reader.add(rest.subarray(0, cut));
    rest = rest.subarray(cut);
  }
  expect(isComplete || reader.close()).toBe(true);
  const { status, headers, body } = reader.result();
  return { status, headers, body };
}
