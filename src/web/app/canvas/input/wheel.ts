/** The settings for the mouse wheel: detect the device, always zoom, or always pan. */
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

/**
 * Wheel events that follow each other within this time in ms are attributed to the same device, because a flicked
 * trackpad sometimes looks like a mouse wheel.
 */
const oneTurnMs = 300;

/**
 * Interprets wheel events. With the setting `auto`, a mouse wheel with notches zooms, and a trackpad pans. With Ctrl or
 * ⌘, both zoom; browsers also report a pinch as Ctrl. With Shift, both pan.
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

/**
 * Whether a wheel event looks like a notch of a mouse wheel: a large vertical step in whole pixels, or in lines. A
 * trackpad sends small and diagonal steps.
 */
function looksNotched({ deltaX, deltaY, deltaMode }: WheelFacts): boolean {
  return deltaX === 0 && (deltaMode !== 0 || (Math.abs(deltaY) >= 50 && Number.isInteger(deltaY)));
}

function inPixels({ deltaX, deltaY, deltaMode }: WheelFacts): readonly [number, number] {
  const unit = deltaMode === 1 ? 20 : deltaMode === 2 ? 400 : 1;
  return [deltaX * unit, deltaY * unit];
}

function zoomBy(pixels: number, isNotched: boolean): WheelMeaning {
  // A notch of 100 pixels changes the zoom by a sixth. A trackpad sends many smaller steps.
  const most = isNotched ? 100 : 50;
  const bounded = Math.max(-most, Math.min(most, pixels));
  return { kind: "zoom", factor: Math.exp(-bounded * (isNotched ? 0.0018 : 0.01)) };
}
