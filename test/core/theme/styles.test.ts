import { expect, test } from "bun:test";
import { contrast, rgbOf } from "../../../src/core/theme/colors.ts";
import { styleNames, themeOfStyle } from "../../../src/core/theme/styles.ts";

const ratio = (one: unknown, other: unknown) => contrast(rgbOf(one) ?? [0, 0, 0], rgbOf(other) ?? [0, 0, 0]);

test("each text of each style has a contrast of at least 4.5:1", () => {
  const steps = [0, 40, 95, 128, 170, 215, 255];
  const hex = (part: number) => part.toString(16).padStart(2, "0");
  for (const style of styleNames)
    for (const red of steps)
      for (const green of steps)
        for (const blue of steps) {
          const main = `#${hex(red)}${hex(green)}${hex(blue)}`;
          const { dark, ...day } = themeOfStyle(style, main);
          for (const { chat } of [day, dark ?? day]) {
            const { hostBubbles, guestBubbles, buttons, inputs } = chat ?? {};
            for (const part of [hostBubbles, guestBubbles, buttons, inputs])
              expect(ratio(part?.color, part?.backgroundColor), `${style} ${main}`).toBeGreaterThanOrEqual(4.5);
            expect(ratio(inputs?.placeholderColor, inputs?.backgroundColor)).toBeGreaterThanOrEqual(4.5);
          }
        }
});

test("a main colour that is already readable is not changed", () => {
  expect(themeOfStyle("clear", "#1f5c4d").chat.buttons?.backgroundColor).toBe("#1f5c4d");
});
