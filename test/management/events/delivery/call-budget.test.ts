import { expect, test } from "bun:test";
import { array, boolean, assert as check, integer, property, record } from "fast-check";
import { createCallBudget } from "../../../../src/management/events/delivery/call-budget.ts";

const atOnce = 60;

type Endpoint = { readonly ends: (() => void)[]; isWoken: boolean };

function createEndpoints(count: number) {
  const budget = createCallBudget(atOnce);
  const endpoints = Array.from({ length: count }, (): Endpoint => ({ ends: [], isWoken: false }));
  const begin = (endpoint: Endpoint): boolean => {
    const mayBegin = budget.hasRoom(endpoint.ends.length, () => {
      endpoint.isWoken = true;
    });
    if (mayBegin) endpoint.ends.push(budget.begin());
    return mayBegin;
  };
  return { endpoints, begin };
}

test.each([
  [1, 40],
  [2, 24],
  [5, 11],
])(
  "when the number of busy endpoints is %d, each gets about %d calls, and a further endpoint still gets a call",
  (count, each) => {
    const { endpoints, begin } = createEndpoints(count + 1);
    const hungry = endpoints.slice(0, count);

    while (hungry.map((endpoint) => begin(endpoint)).includes(true));

    for (const { ends } of hungry) expect(Math.abs(ends.length - each)).toBeLessThanOrEqual(1);
    expect(endpoints.slice(count).map((endpoint) => begin(endpoint))).toEqual([true]);
  },
);

const moves = array(record({ place: integer({ min: 0, max: 9 }), ends: boolean() }), { maxLength: 300 });

test("the number of concurrent calls stays within the limit", () =>
  check(
    property(moves, (made) => {
      const { endpoints, begin } = createEndpoints(10);
      for (const { place, ends } of made) {
        const endpoint = endpoints[place];
        if (!endpoint) continue;
        if (ends) {
          const end = endpoint.ends.pop();
          end?.();
          if (end) for (const other of endpoints) other.isWoken = false;
        } else begin(endpoint);
        const underWay = endpoints.reduce((sum, each) => sum + each.ends.length, 0);
        expect(underWay).toBeLessThanOrEqual(atOnce);
      }
      const refused = endpoints.find((endpoint) => {
        endpoint.isWoken = false;
        while (begin(endpoint));
        return true;
      });
      const other = endpoints.find(({ ends }) => ends.length > 0);
      other?.ends.pop()?.();
      expect(refused?.isWoken).toBe(true);
    }),
  ));
