/** Scripts for the presets that only the visitor's client knows. */
export const clientPresets = {
  "Moment of the day": `const hour = new Date().getHours();
return hour < 12 ? "morning" : hour < 18 ? "afternoon" : "evening";`,

  // Tablets first: an Android tablet differs from a phone only by not saying "mobile", and an iPad may call itself a Mac.
  "Device type": `const agent = navigator.userAgent;
const isTouch = "ontouchstart" in window || navigator.maxTouchPoints > 0;
const width = screen.width;
if (/tablet|ipad|playbook|silk|android(?!.*mobile)/i.test(agent) || (isTouch && width >= 768 && width <= 1024)) return "tablet";
return /mobile/i.test(agent) || (isTouch && width < 768) ? "mobile" : "desktop";`,
} as const;
