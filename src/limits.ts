import { chats } from "./limits/chats.ts";
import { editing } from "./limits/editing.ts";
import { files } from "./limits/files.ts";
import { outside } from "./limits/outside.ts";
import { requests } from "./limits/requests.ts";
import { service } from "./limits/service.ts";

/**
 * What the service promises and what protects it: every size, count, wait and lifetime that a visitor, an author, a caller,
 * an operator or a neighbour can meet. Numbers that only make things fast (batch sizes, poll
 * intervals, cache sizes) stand beside the code that uses them. Everybody asks here; the parts are by what they protect.
 *
 * The unit comes last in a name: bytes are bytes of UTF-8, characters are UTF-16 code units. What has no unit is a count.
 */
export const limits = { ...requests, ...chats, ...editing, ...outside, ...files, ...service } as const;
