import type { Hit, Point } from "../../canvas/contract.ts";
import type { ActContext } from "../act-context.ts";
import type { Acts } from "../acts.ts";

/** Opens the context menu of the selection or of the background. The code of the menu is loaded on demand. */
export async function showMenu(
  acts: Acts,
  context: ActContext,
  { hit, at, world }: { readonly hit: Hit; readonly at: Point; readonly world: Point },
): Promise<void> {
  const { menuFor } = await import("./menu.ts");
  context.state.menu.value = { at, items: menuFor(acts, context, { hit, world }) };
}
