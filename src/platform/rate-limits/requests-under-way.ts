import { AppError } from "../../errors.ts";

/**
 * About three requests for each of 300 pupils who share an address. Bun cannot count connections, so requests are
 * counted.
 */
const mostOfAddress = 1_000;

/** The running requests of one address. */
export type AddressPlace = { readonly address: string; taken: number };

/** Limits the concurrent requests of each address in this process, regardless of their duration. */
export type RequestsUnderWay = {
  /**
   * Counts one more request until the returned object is passed to `end`. Throws `rate_limit.exceeded` if the address
   * has too many requests.
   */
  begin(address: string): AddressPlace;
  end(place: AddressPlace): void;
};

export function limitRequestsUnderWay(): RequestsUnderWay {
  const places = new Map<string, AddressPlace>();
  return {
    begin(address) {
      const known = places.get(address);
      if (known) {
        if (known.taken >= mostOfAddress) throw oneTooMany();
        known.taken++;
        return known;
      }
      const place = { address, taken: 1 };
      places.set(address, place);
      return place;
    },
    end(place) {
      if (--place.taken === 0) places.delete(place.address);
    },
  };
}

function oneTooMany(): AppError {
  return new AppError("rate_limit.exceeded", { data: { scope: "address", act: "requests", retryAfterSeconds: 1 } });
}
