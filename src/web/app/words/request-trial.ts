import english from "./en/request-trial.json";
import { area } from "./language.ts";

/** The words of trying a block's request. */
export const requestTrialWords = area("requestTrial", english);
