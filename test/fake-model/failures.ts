import type { ServerResponse } from "node:http";
import { problem, sendJson } from "./wire.ts";

type Failure = (asked: { readonly response: ServerResponse; readonly key: string }) => void;

/** Failures that all APIs of the fake model support, by the model's name. */
export const failures: Readonly<Record<string, Failure>> = {
  unreadable: ({ response }) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.end("data: {this is no JSON\n\n");
  },
  page: ({ response }) => {
    response.writeHead(502, { "Content-Type": "text/html" });
    response.end("<html><body><h1>Bad gateway</h1></body></html>");
  },
  elsewhere: ({ response }) => {
    response.writeHead(307, { Location: "https://elsewhere.example/v1/chat/completions" });
    response.end();
  },
  // Never responds.
  silent: () => {},
  // The message contains the key, like that of some real providers.
  "fails-401": ({ response, key }) => sendJson(response, 401, problem(`Incorrect API key provided: ${key}`)),
  "fails-402": ({ response }) => sendJson(response, 402, problem("Insufficient balance")),
  "fails-403": ({ response }) => sendJson(response, 403, problem("This key may not ask this model.")),
  "fails-404": ({ response }) => sendJson(response, 404, problem("There is no such model.")),
  "fails-400": ({ response }) => sendJson(response, 400, problem("This request cannot be answered.")),
  "fails-413": ({ response }) => sendJson(response, 413, problem("The context is too long.")),
  "fails-500": ({ response }) => sendJson(response, 500, problem("Something went wrong here.")),
  "fails-529": ({ response }) => sendJson(response, 529, problem("Overloaded")),
  "fails-429-once": ({ response }) => {
    response.setHeader("Retry-After", "0");
    sendJson(response, 429, problem("Slow down."));
  },
};

/** Failures after which the next attempt succeeds. */
export const passing = new Set(["fails-429-once"]);
