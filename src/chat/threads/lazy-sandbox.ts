import type { RunScript } from "../../core/interpreter/language/script.ts";
import { StepTooLong } from "../../core/interpreter/step-errors.ts";

/**
 * A sandbox that is created for the first script. Creating it takes 40 MB and 90 ms of processor time, which a thread
 * without scripts does not need.
 */
export type LazySandbox = {
  /** While there is no sandbox, throws `StepTooLong` and starts to load a sandbox. */
  readonly runScript: RunScript;
  isLoading(): boolean;
  /** Resolves when the sandbox is ready. Rejects if its creation failed; the next script then tries again. */
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
      // Callers of `load` receive the failure.
      load().catch(() => {});
      throw new StepTooLong();
    },
  };
}
