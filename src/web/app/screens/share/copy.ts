import { toast } from "../../ui/index.ts";

export async function copy(text: string, told: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  toast(told);
}
