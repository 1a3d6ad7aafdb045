import type { RunScript } from "../../core/interpreter/language/script.ts";
import { StepTooLong } from "../../core/interpreter/step-errors.ts";

/**
 * A sandbox that is created for the first script: it takes 40 MB and 90 ms of processor time, and a thread without
 * scripts needs none.
 */
export type LazySandbox = {
  /** Throws `StepTooLong` while there is no sandbox yet, and starts to load it. */
  readonly runScript: RunScript;
  isLoading(): boolean;
  /** Resolves when there is a sandbox; rejects when its creation failed, and the next script tries again. */
  load(): Promise<void>;
};

export function createLazySandbox(createSandbox: () => Promise<RunScript>): LazySandbox {
  let runScript: RunScript | undefined;
  let loading: Promise<void> | undefined;
  let isLoading = false;

  const create = async (): Promise<void> => {
    isLoading = true;
    try {
      runScript = await createSandbox();
    } catch (error) {
      // The next script tries again.
      loading = undefined;
      throw error;
    } finally {
      isLoading = false;
    }
  };
  const load = (): Promise<void> => (loading ??= create());
  return {
    isLoading: () => isLoading,
    load,
    runScript(request) {
      if (runScript) return runScript(request);
      // A failure reaches the callers of `load`.
      load().catch(() => {});
      throw new StepTooLong();
    },
  };
}
