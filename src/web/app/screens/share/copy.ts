import { toast } from "../../ui/index.ts";

export async function copy(text: string, confirmation: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  toast(confirmation);
}
