import {
  ChevronsDownUp,
  Circle,
  ClipboardCopy,
  Frame,
  type IconNode,
  Keyboard,
  ListEnd,
  ListPlus,
  LockOpen,
  Move,
  Palette,
  Scissors,
  Split,
  SquareArrowOutUpRight,
  StickyNote,
  Unlink,
  WandSparkles,
} from "lucide";
import { colors } from "../../editor/commands/surroundings.ts";
import { addIcons } from "../../ui/index.ts";

/** A dot for each colour of groups, notes and frames. */
const dots = colors.map((color): [string, IconNode] => [
  `color-${color}`,
  [["circle", { cx: 12, cy: 12, r: 9, class: `tint-dot is-${color}` }]],
]);

addIcons({
  ...Object.fromEntries(dots),
  "chevrons-down-up": ChevronsDownUp,
  circle: Circle,
  frame: Frame,
  "sticky-note": StickyNote,
  "clipboard-copy": ClipboardCopy,
  keyboard: Keyboard,
  "list-end": ListEnd,
  "list-plus": ListPlus,
  "lock-open": LockOpen,
  move: Move,
  palette: Palette,
  scissors: Scissors,
  split: Split,
  "square-arrow-out-up-right": SquareArrowOutUpRight,
  unlink: Unlink,
  "wand-sparkles": WandSparkles,
});
