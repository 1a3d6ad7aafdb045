import type { Hit, Point } from "../../canvas/contract.ts";
import type { Acts } from "../acts.ts";
import type { Making } from "../making.ts";

/** Opens the menu of what is chosen, or of the ground; it is loaded when it is met. */
export async function showMenu(
  acts: Acts,
  making: Making,
  { hit, at, world }: { readonly hit: Hit; readonly at: Point; readonly world: Point },
): Promise<void> {
  const { menuFor } = await import("./menu.ts");
  making.state.menu.value = { at, items: menuFor(acts, making, { hit, world }) };
}
