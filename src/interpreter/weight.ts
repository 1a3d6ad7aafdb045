/**
 * About how many characters a value has as JSON text, for a fraction of what writing it costs. What a flow makes is
 * weighed before it is kept, so that a step's memory stays bounded whatever the flow repeats.
 */
export function weightOf(value: unknown): number {
  if (typeof value === "string") return value.length + 3;
  if (typeof value !== "object" || value === null) return 6;
  let weight = 3;
  if (Array.isArray(value)) {
    for (const element of value) weight += weightOf(element);
    return weight;
  }
  // Half the time of `Object.entries`; what is inherited is nothing, as in JSON.
  for (const key in value) weight += key.length + 3 + weightOf(Reflect.get(value, key));
  return weight;
}
