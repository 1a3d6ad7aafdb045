export { forgetAll, type Query, refresh, setKnown, useQuery } from "./cache.ts";
export { type Answer, call, type Input, onSignedOut, request } from "./call.ts";
export { ApiFailure, isRecord, issuesOf } from "./failure.ts";
export { allPages, useAll } from "./pages.ts";
export { stream } from "./stream.ts";
