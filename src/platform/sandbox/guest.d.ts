/** The text of guest.js. */
declare const source: string;
export default source;
