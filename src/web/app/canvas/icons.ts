import { Maximize, Minus, Workflow } from "lucide";
import { addIcons } from "../ui/index.ts";

addIcons({ maximize: Maximize, minus: Minus, workflow: Workflow });
