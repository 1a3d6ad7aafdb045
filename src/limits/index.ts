import { channels } from "./channels.ts";
import { chats } from "./chats.ts";
import { editing } from "./editing.ts";
import { files } from "./files.ts";
import { outside } from "./outside.ts";
import { requests } from "./requests.ts";
import { service } from "./service.ts";

/**
 * The service's limits: every size, count, time limit and lifetime that affects a visitor, an author, a client, an
 * operator or another tenant. Numbers that only affect performance (batch sizes, poll intervals, cache sizes) are next
 * to the code that uses them. All code reads its limits from this object. The parts are grouped by the resources that
 * they protect.
 *
 * The unit is at the end of a name: bytes are bytes of UTF-8, characters are UTF-16 code units. A number without a unit
 * is a count.
 */
export const limits = { ...requests, ...chats, ...channels, ...editing, ...outside, ...files, ...service } as const;
