export { Chat } from "./chat.ts";
export { type ClientOptions, ParleyClient } from "./client.ts";
export { ParleyError } from "./error.ts";
export type * from "./generated.ts";
export type { CallOptions } from "./operation.ts";
export type { Told } from "./told.ts";
