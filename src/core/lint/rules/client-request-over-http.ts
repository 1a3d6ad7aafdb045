import { clientAddressOf, isOwnMachine, isPlainHttp } from "../../flow/client-requests.ts";
import { placeIn } from "../facts.ts";
import type { Rule } from "../rule.ts";

export const clientRequestOverHttp: Rule = {
  name: "client_request_over_http",
  severity: "warning",
  about:
    "The visitor's browser sends a request to an address with `http:`. Browsers block such requests on every page with `https:` (mixed content), so the request works only on pages without encryption. A local address, such as `localhost`, refers to the visitor's machine. Addresses that begin with a variable are not checked.",
  advice: "Use an address with https, or let Parley send the request.",
  *find({ blocks }) {
    for (const linted of blocks) {
      const address = clientAddressOf(linted.block);
      if (address === undefined || !isPlainHttp(address)) continue;
      yield {
        ...placeIn(linted, "options.webhook.url"),
        message: isOwnMachine(address)
          ? "The visitor's browser sends this request, so the address refers to the visitor's own machine."
          : "The visitor's browser sends this request over http, which browsers block on pages with https.",
      };
    }
  },
};
