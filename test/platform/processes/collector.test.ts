import { expect, test } from "bun:test";
import { createCollector } from "../../../src/platform/processes/collector.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const withinMs = 1_000;

test("a query to all processes ends when all processes have answered once", async () => {
  const collector = createCollector<string>(createVirtualClock());

  const collected = collector.ask(["one", "other"], {
    withinMs,
    send(to, id) {
      collector.answered(to, id, `from ${to}`);
      collector.answered(to, id, "once more");
      collector.answered("a stranger", id, "not asked");
    },
  });

  expect(await collected).toEqual({ answers: ["from one", "from other"], missing: 0 });
});

test("a process that ends before its answer is immediately counted as missing", async () => {
  const collector = createCollector<string>(createVirtualClock());
  const collected = collector.ask(["one", "other"], {
    withinMs,
    send(to, id) {
      if (to === "one") collector.answered(to, id, 1);
    },
  });

  collector.gone("other");

  expect(await collected).toEqual({ answers: [1], missing: 1 });
});

test("a process that does not answer in time is counted as missing", async () => {
  const clock = createVirtualClock();
  const collector = createCollector<string>(clock);
  const collected = collector.ask(["silent"], { withinMs, send() {} });

  await clock.advance(withinMs);

  expect(await collected).toEqual({ answers: [], missing: 1 });
  expect(clock.timers()).toBe(0);
});

test("a query ends immediately if no other process runs", async () => {
  const collector = createCollector<string>(createVirtualClock());

  expect(await collector.ask([], { withinMs, send() {} })).toEqual({ answers: [], missing: 0 });
});
