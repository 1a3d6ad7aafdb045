/** @jsxImportSource preact */
import type { OpenBot } from "../../editor/index.ts";
import { Skeleton } from "../../ui/index.ts";
import { useLoaded } from "../../ui/use-loaded.ts";

const load = async () => (await import("../../variables/panel.tsx")).VariablesPanel;

/** The variables of a flow: a part that is loaded when it is first met. */
export function VariablesPanel(props: { readonly bot: OpenBot }) {
  const Loaded = useLoaded(load);
  return Loaded ? <Loaded {...props} /> : <Skeleton rows={4} />;
}
