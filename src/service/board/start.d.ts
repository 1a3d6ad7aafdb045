/** The text of start.js. */
declare const source: string;
export default source;
