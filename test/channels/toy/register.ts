import { channels } from "../../../src/core/channels/index.ts";
import { pigeon } from "./pigeon.ts";

// This module is loaded before all others, because the service reads its channels only once.
if (!(channels instanceof Map)) throw new Error("The channels are no map");
channels.set(pigeon.type, pigeon);
