import { expect, test } from "bun:test";
import { createPresenceSender } from "../../../../src/web/app/editor/presence-sender.ts";
import { createVirtualClock } from "../../../support/virtual-clock.ts";

function started() {
  const clock = createVirtualClock();
  const said: object[] = [];
  const others = { areHere: true };
  const saying = createPresenceSender({
    clock,
    isAnybodyHere: () => others.areHere,
    say: async () => void said.push(saying.placeToSend()),
  });
  return { clock, said, others, saying };
}

test("a pointer's position is sent at most four times a second", async () => {
  const { clock, said, saying } = started();
  for (let step = 1; step <= 100; step++) {
    saying.note({ pointer: { x: step * 8, y: 0 } });
    await clock.advance(10);
  }
  await clock.advance(1_000);
  expect(said).toHaveLength(5);
  expect(said[0]).toEqual({ pointer: { x: 8, y: 0 } });
  expect(said.at(-1)).toEqual({ pointer: { x: 800, y: 0 } });
});

test("a pointer's position is rounded to a grid of eight pixels", async () => {
  const { clock, said, saying } = started();
  for (const x of [-3, 3, 5, 9, 11]) {
    saying.note({ pointer: { x, y: -13 } });
    await clock.advance(250);
  }
  expect(said).toEqual([{ pointer: { x: 0, y: -16 } }, { pointer: { x: 8, y: -16 } }]);
});

test("no position is sent while nobody else is present", async () => {
  const { clock, said, others, saying } = started();
  others.areHere = false;
  saying.note({ camera: { x: 1, y: 2, zoom: 1 } });
  await clock.advance(1_000);
  expect(said).toEqual([]);
  others.areHere = true;
  saying.othersCame();
  await clock.advance(1_000);
  expect(said).toEqual([{ camera: { x: 1, y: 2, zoom: 1 } }]);
});

test("a caret is sent together with the pointer", async () => {
  const { clock, said, others, saying } = started();
  let reads = 0;
  let at = 0;
  const path = ["content"];
  const read = () => {
    reads += 1;
    return { path, at, to: at, revision: 7 };
  };
  others.areHere = false;
  saying.noteText(read);
  await clock.advance(1_000);
  expect(reads).toBe(0);
  others.areHere = true;
  saying.note({ pointer: { x: 8, y: 8 } });
  for (at = 1; at < 20; at++) {
    saying.noteText(read);
    await clock.advance(10);
  }
  await clock.advance(1_000);
  saying.noteText(undefined);
  await clock.advance(1_000);
  const pointer = { x: 8, y: 8 };
  expect(said).toEqual([
    { pointer, text: { path, at: 0, to: 0, revision: 7 } },
    { pointer, text: { path, at: 20, to: 20, revision: 7 } },
    { pointer },
  ]);
});

test("a position that changes back later is sent again", async () => {
  const clock = createVirtualClock();
  const said: object[] = [];
  const gate = Promise.withResolvers<void>();
  const saying = createPresenceSender({
    clock,
    isAnybodyHere: () => true,
    async say() {
      await gate.promise;
      said.push(saying.placeToSend());
    },
  });
  const [here, there] = [{ pointer: { x: 8, y: 0 } }, { pointer: { x: 16, y: 0 } }];
  saying.note(here);
  saying.note(there);
  gate.resolve();
  await clock.advance(100);
  saying.note(here);
  await clock.advance(1_000);
  expect(said).toEqual([there, here]);
});
