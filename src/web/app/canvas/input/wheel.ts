/** The effect of the wheel: by the apparent device, or always the same. */
export const wheelKinds = ["auto", "zoom", "pan"] as const;
export type WheelKind = (typeof wheelKinds)[number];

export type WheelFacts = {
  readonly deltaX: number;
  readonly deltaY: number;
  readonly deltaMode: number;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
};

export type WheelMeaning =
  | { readonly kind: "zoom"; readonly factor: number }
  | { readonly kind: "pan"; readonly x: number; readonly y: number };

/** Turns that follow each other have the same meaning: a trackpad that is flicked sometimes looks like a wheel. */
const oneTurnMs = 300;

/**
 * Determines the meaning of a wheel's turns. A wheel with notches zooms, fingers on a trackpad pan, and both zoom with
 * Ctrl, as when two fingers pinch.
 */
export function createWheelReader(): (wheel: WheelFacts, now: number, kind: WheelKind) => WheelMeaning {
  let last = { at: Number.NEGATIVE_INFINITY, isNotched: false };
  return (wheel, now, kind) => {
    const isNotched = now - last.at < oneTurnMs ? last.isNotched : looksNotched(wheel);
    last = { at: now, isNotched };
    const [x, y] = inPixels(wheel);
    if (wheel.ctrlKey || wheel.metaKey) return zoomBy(y, isNotched);
    if (wheel.shiftKey) return { kind: "pan", x: x === 0 ? y : x, y: x === 0 ? 0 : y };
    return kind === "zoom" || (kind === "auto" && isNotched) ? zoomBy(y, isNotched) : { kind: "pan", x, y };
  };
}

/** A notch is a whole step up or down; fingers make small and slanted steps. */
function looksNotched({ deltaX, deltaY, deltaMode }: WheelFacts): boolean {
  return deltaX === 0 && (deltaMode !== 0 || (Math.abs(deltaY) >= 50 && Number.isInteger(deltaY)));
}

function inPixels({ deltaX, deltaY, deltaMode }: WheelFacts): readonly [number, number] {
  const unit = deltaMode === 1 ? 20 : deltaMode === 2 ? 400 : 1;
  return [deltaX * unit, deltaY * unit];
}

function zoomBy(pixels: number, isNotched: boolean): WheelMeaning {
  // A notch of a hundred pixels is a sixth; fingers send many small steps.
  const most = isNotched ? 100 : 50;
  const bounded = Math.max(-most, Math.min(most, pixels));
  return { kind: "zoom", factor: Math.exp(-bounded * (isNotched ? 0.0018 : 0.01)) };
}
