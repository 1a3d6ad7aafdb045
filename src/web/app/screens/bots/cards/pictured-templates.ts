import { pictureOf } from "../../../../../core/editing/flow-picture.ts";
import { type Template, templates } from "../../../../../core/templates/index.ts";
import { loadBlockTypes } from "../../../forms/reading.ts";
import type { Picture } from "./flow-picture.tsx";

export type PicturedTemplate = { readonly template: Template; readonly picture: Picture };

/** Loads the templates with their pictures. */
export async function loadTemplates(): Promise<readonly PicturedTemplate[]> {
  // Without the catalogue, the pictures are shown without colours.
  const types = await loadBlockTypes().catch(() => undefined);
  return templates.map((template) => ({
    template,
    picture: pictureOf(template, (type) => types?.get(type)?.editor.family),
  }));
}
