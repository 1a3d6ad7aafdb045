export { forgetAll, type Query, refresh, setKnown, useQuery } from "./cache.ts";
export { type Answer, call, type Input, type OperationName, onSignedOut, request } from "./call.ts";
export { ApiFailure, type Issue, isRecord, issuesOf } from "./failure.ts";
export { allPages, useAll } from "./pages.ts";
export { type StreamEvent, stream } from "./stream.ts";
export { type UploadOptions, upload } from "./upload.ts";
