import type { ReadonlySignal } from "@preact/signals";
import { isFollowing } from "../session/following.ts";
import type { Card, CardRow, Scene } from "./contract.ts";
import type { MovingCamera } from "./scene/camera.ts";

/** How long the camera stays where the author has moved it. */
export const restMs = 4_000;

type Followed = {
  readonly source: {
    readonly editor: { readonly walked: ReadonlySignal<{ readonly waitsAt: string | undefined } | undefined> };
  };
  readonly scene: { peek(): Pick<Scene, "rowOf"> };
  readonly camera: Pick<MovingCamera, "restedMs" | "reveal">;
};

/**
 * Moves the camera to the place where a preview waits, unless the author looks elsewhere. An effect of the walk alone.
 */
export function followWalk({ source, scene, camera }: Followed): void {
  const waitsAt = source.editor.walked.value?.waitsAt;
  if (waitsAt === undefined || !isFollowing.value || camera.restedMs() < restMs) return;
  // The camera follows the walk: an edit that moves the card does not move the camera.
  const found = scene.peek().rowOf(waitsAt);
  if (found) camera.reveal(found.card.id, boxOfRow(found.card, found.row));
}

function boxOfRow({ box }: Pick<Card, "box">, { y, height }: Pick<CardRow, "y" | "height">) {
  return { x: box.x, y: box.y + y, width: box.width, height };
}
