import { expect, test } from "bun:test";
import { createArrivedBytes } from "../../../src/effects/safe-fetch/arrived-bytes.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

function open() {
  const clock = createVirtualClock();
  const hold = { ms: 0 };
  const happened: string[] = [];
  const arrived = createArrivedBytes({
    clock,
    holdMs: () => hold.ms,
    onRead: () => void happened.push("read"),
    onCancel: () => void happened.push("cancelled"),
  });
  const reader = arrived.body.getReader();
  return {
    ...{ clock, hold, happened, arrived, reader },
    add: (text: string) => arrived.add(new TextEncoder().encode(text)),
    read: async () => {
      const { value } = await reader.read();
      return value && new TextDecoder().decode(value);
    },
  };
}

test("a reader gets all bytes since the last read together", async () => {
  const { add, read, arrived, happened } = open();
  for (const text of ["one ", "two ", "three "]) add(text);
  expect(arrived.waiting()).toBe(14);
  expect(await read()).toBe("one two three ");
  const next = read();
  add("four");
  expect(await next).toBe("four");
  expect(arrived.waiting()).toBe(0);
  expect(happened).toEqual(["read", "read"]);
});

test("bytes that arrive within 50 ms are delivered together", async () => {
  const { clock, hold, add, read } = open();
  add("one ");
  expect(await read()).toBe("one ");
  hold.ms = 50;
  await clock.advance(20);
  const held = read();
  add("two ");
  await clock.advance(29);
  add("three ");
  expect(clock.timers()).toBe(1);
  await clock.advance(1);
  expect(await held).toBe("two three ");

  // After a pause, the next bytes are delivered without a delay.
  await clock.advance(50);
  const late = read();
  add("four");
  expect(clock.timers()).toBe(0);
  expect(await late).toBe("four");
});

test("the end or an error is delivered immediately after the earlier bytes", async () => {
  for (const isFailure of [false, true]) {
    const { clock, hold, arrived, add, read, reader } = open();
    hold.ms = 50;
    add("one ");
    expect(await read()).toBe("one ");
    const last = read();
    add("two");
    expect(clock.timers()).toBe(1);
    if (isFailure) arrived.fail(new Error("broken"));
    else arrived.close();

    expect(await last).toBe("two");
    expect(clock.timers()).toBe(0);
    if (isFailure) await expect(reader.read()).rejects.toThrow("broken");
    else expect((await reader.read()).done).toBe(true);
  }
});

test("a cancelled reader stops its timer and cancels its source", async () => {
  const { clock, hold, add, read, reader, happened } = open();
  add("one ");
  await read();
  hold.ms = 50;
  void read();
  add("two");
  await reader.cancel();

  expect(clock.timers()).toBe(0);
  expect(happened).toEqual(["read", "cancelled"]);
});
