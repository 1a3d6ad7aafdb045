import type { ReadonlySignal } from "@preact/signals";
import { isFollowing } from "../session/following.ts";
import type { Card, CardRow, Scene } from "./contract.ts";
import type { MovingCamera } from "./scene/camera.ts";

/** How long, in ms, the camera does not follow the preview after the author has moved the camera. */
export const restMs = 4_000;

type Followed = {
  readonly source: {
    readonly editor: { readonly walked: ReadonlySignal<{ readonly waitsAt: string | undefined } | undefined> };
  };
  readonly scene: { peek(): Pick<Scene, "rowOf"> };
  readonly camera: Pick<MovingCamera, "restedMs" | "reveal">;
};

/**
 * Moves the camera to the block at which a preview waits, if following is enabled and the author has not just moved the
 * camera.
 */
export function followWalk({ source, scene, camera }: Followed): void {
  const waitsAt = source.editor.walked.value?.waitsAt;
  if (waitsAt === undefined || !isFollowing.value || camera.restedMs() < restMs) return;
  // Reads the scene without a subscription, so that an edit that moves the card does not move the camera.
  const found = scene.peek().rowOf(waitsAt);
  if (found) camera.reveal(found.card.id, boxOfRow(found.card, found.row));
}

function boxOfRow({ box }: Pick<Card, "box">, { y, height }: Pick<CardRow, "y" | "height">) {
  return { x: box.x, y: box.y + y, width: box.width, height };
}
