/** The text of guest-world.js. */
declare const source: string;
export default source;
