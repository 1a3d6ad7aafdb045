import type { HostKind } from "../../platform/http/hosts.ts";
import { requestIdOf } from "../../platform/http/request-id.ts";
import type { ClientAddress } from "../../platform/rate-limits/client-address.ts";
import type { Admission, RateLimits } from "../../platform/rate-limits/rate-limits.ts";
import type { FailedRequest } from "./failure.ts";
import type { Call } from "./operation.ts";
import type { Place } from "./page.ts";
import type { SignInCookie } from "./sign-in-cookie.ts";

export type Readers = {
  readonly rateLimits: RateLimits;
  /** The address at the other end of the connection. */
  remoteAddress(request: Request): string | undefined;
  client(remoteAddress: string | undefined, forwardedFor: string | null): ClientAddress;
  host(request: Request, remoteAddress: () => string | undefined): string;
  mayAnswer(kind: HostKind, request: Request, remoteAddress: () => string | undefined): boolean;
  cookie(request: Request, at: { host(): string }): SignInCookie | undefined;
};

/** The state of a request while `createFrame` processes it. Some of the request's data is read only on demand. */
export class AskedRequest implements Place, Call {
  readonly request: Request;
  readonly params: Place["params"];
  readonly known: FailedRequest;
  readonly cookie: SignInCookie | undefined;
  readonly answerHeaders: Record<string, string> = {};
  readonly #readers: Readers;
  #client: ClientAddress | undefined;

  constructor(request: Request, { params, route }: { params: Place["params"]; route: string }, readers: Readers) {
    this.request = request;
    this.params = params;
    this.known = { requestId: requestIdOf(request.headers), method: request.method, route };
    this.#readers = readers;
    this.cookie = readers.cookie(request, this);
  }

  host(): string {
    return this.#readers.host(this.request, () => this.#remoteAddress());
  }

  isAnswered(kind: HostKind): boolean {
    return this.#readers.mayAnswer(kind, this.request, () => this.#remoteAddress());
  }

  admission(options: { readonly isPatient: boolean }): Admission {
    return this.#readers.rateLimits.admission(() => this.client(), options);
  }

  /**
   * Returns the client's address. It is read on demand and only once, because Bun creates an object for each address
   * that it returns (1.0 µs, Bun 1.4.4).
   */
  client(): ClientAddress {
    this.#client ??= this.#readers.client(this.#remoteAddress(), this.request.headers.get("x-forwarded-for"));
    return this.#client;
  }

  #remoteAddress(): string | undefined {
    return this.#readers.remoteAddress(this.request);
  }
}
