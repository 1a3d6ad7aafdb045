import type { Point } from "../contract.ts";
import type { OpenView } from "../view.ts";

/** How near the rim the camera begins to follow, and how fast it does at the rim itself, in pixels a frame. */
const reach = 40;
const mostSpeed = 14;

/** While a pointer drags near the rim the camera follows it, and says so each time. */
export function keepAtRim(view: OpenView, root: HTMLElement, moved: () => void) {
  let frame = 0;
  let speed: Point = { x: 0, y: 0 };

  const step = (): void => {
    frame = 0;
    if (speed.x === 0 && speed.y === 0) return;
    view.camera.panBy(speed);
    moved();
    frame = requestAnimationFrame(step);
  };

  return {
    follow(at: Point): void {
      const { left, top, right, bottom } = root.getBoundingClientRect();
      speed = { x: pull(at.x, left, right), y: pull(at.y, top, bottom) };
      if (frame === 0 && (speed.x !== 0 || speed.y !== 0)) frame = requestAnimationFrame(step);
    },
    stop(): void {
      speed = { x: 0, y: 0 };
      cancelAnimationFrame(frame);
      frame = 0;
    },
  };
}

function pull(at: number, from: number, to: number): number {
  const [before, after] = [from + reach - at, at - (to - reach)];
  if (before > 0) return -Math.min(1, before / reach) * mostSpeed;
  return after > 0 ? Math.min(1, after / reach) * mostSpeed : 0;
}
