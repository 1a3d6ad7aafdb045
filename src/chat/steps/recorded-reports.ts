import { contentHash, type RecordedReport } from "../../core/replay/inputs.ts";
import type { Performed, WantedEffect } from "./run-step.ts";

/** Records the report of each effect of a step, so that the step can be replayed. */
export function recordReports(perform: (wanted: WantedEffect) => Promise<Performed<never>>) {
  const reports: RecordedReport[] = [];
  return {
    reports,
    async performEffect(wanted: WantedEffect): Promise<Performed<never>> {
      const performed = await perform(wanted);
      const { effect, blockId } = wanted;
      if ("report" in performed) reports.push({ effect: contentHash(effect), blockId, report: performed.report });
      return performed;
    },
  };
}
