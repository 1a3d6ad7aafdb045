import {
  ChevronsDownUp,
  Circle,
  ClipboardCopy,
  Keyboard,
  ListEnd,
  ListPlus,
  LockOpen,
  Move,
  Palette,
  Scissors,
  SquareArrowOutUpRight,
  Unlink,
  WandSparkles,
} from "lucide";
import { addIcons } from "../ui/index.ts";

addIcons({
  "chevrons-down-up": ChevronsDownUp,
  circle: Circle,
  "clipboard-copy": ClipboardCopy,
  keyboard: Keyboard,
  "list-end": ListEnd,
  "list-plus": ListPlus,
  "lock-open": LockOpen,
  move: Move,
  palette: Palette,
  scissors: Scissors,
  "square-arrow-out-up-right": SquareArrowOutUpRight,
  unlink: Unlink,
  "wand-sparkles": WandSparkles,
});
