import { expect, test } from "bun:test";
import { roomFor, settledOfContacts } from "../../../src/channels/inbound/inbound.ts";

test("a full waiting room still accepts 200 messages per connection", () => {
  expect(roomFor({ own: 0, all: 0 })).toBe(1_000);
  expect(roomFor({ own: 5_000, all: 19_900 })).toBe(100);
  expect(roomFor({ own: 5_000, all: 20_000 })).toBe(0);
  expect(roomFor({ own: 150, all: 30_000 })).toBe(50);
});

test("a message that has waited long enough releases only its own contact's messages", () => {
  const row = (id: string, user: string, ageMs: number) => ({
    ...{ id, contactId: null, kind: "message", sequence: 1, decision: null, attempts: 0, receivedAtMs: 0, restMs: 0 },
    ...{ ageMs, writtenMs: null },
    content: JSON.stringify({
      kind: "message",
      contact: { addresses: [{ kind: "user", value: user }] },
      content: { kind: "text", text: id },
    }),
  });
  const rows = [row("early", "ana", 20), row("late", "ana", 300), row("other", "bea", 30), row("last", "cleo", 300)];

  const { ready, restMs } = settledOfContacts(rows, ({ ageMs }) => ageMs >= 250);
  expect(ready.map(({ id }) => id)).toEqual(["early", "late", "last"]);
  expect(restMs).toBe(220);
});
