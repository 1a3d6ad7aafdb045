import { channels } from "./channels.ts";
import { chats } from "./chats.ts";
import { editing } from "./editing.ts";
import { files } from "./files.ts";
import { outside } from "./outside.ts";
import { requests } from "./requests.ts";
import { service } from "./service.ts";

/**
 * The service's promises and protections: every size, count, wait and lifetime that affects a visitor, an author, a
 * caller, an operator or a neighbour. Numbers that only affect speed (batch sizes, poll intervals, cache sizes) are
 * beside the code that uses them. All code reads its bounds from here; the parts are grouped by what they protect.
 *
 * The unit comes last in a name: bytes are bytes of UTF-8, characters are UTF-16 code units. A number without a unit is
 * a count.
 */
export const limits = { ...requests, ...chats, ...channels, ...editing, ...outside, ...files, ...service } as const;
