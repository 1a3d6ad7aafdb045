import type { FairShare } from "../../platform/concurrency/fair-share.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import type { UploadTokens } from "./upload-tokens.ts";

export type FileDependencies = ManagementDependencies & {
  readonly uploads: UploadTokens;
  /** Limits running uploads. Each upload uses a connection, and disk space until the file is stored. */
  readonly uploadsUnderWay: FairShare<"session" | "address" | "bot">;
  /** Limits forms with files, which are in memory while they are read. */
  readonly formsWithFiles: FairShare<"address" | "bot">;
};
