import { useComputed } from "@preact/signals";
import type { OpenBot } from "../editor/index.ts";
import { later } from "../ui/index.ts";

const FindingList = later(async () => (await import("../panels/findings-panel.tsx")).FindingList);

type Props = { readonly bot: OpenBot; readonly of: "theme" | "settings" };

/** Lists the linter's current findings in the theme or the settings. */
export function LookFindings({ bot: { findings }, of }: Props) {
  const found = useComputed(() => findings.all.value?.filter(({ path }) => path.startsWith(`${of}.`)) ?? []).value;
  return found.length > 0 ? <FindingList findings={found} /> : null;
}
