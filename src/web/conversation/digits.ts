/**
 * Replaces digits, signs and separators of several other scripts with ASCII characters, and removes direction marks:
 * `١٢٫٥` becomes `12.5`.
 */
export function plainDigits(text: string): string {
  return text
    .replaceAll(/[٠-٩۰-۹०-९０-９]/g, (digit) => String((digit.codePointAt(0) ?? 0) - zeroBefore(digit)))
    .replaceAll(/[٫．]/g, ".")
    .replaceAll("٬", ",")
    .replaceAll("＋", "+")
    .replaceAll(/[−－]/g, "-")
    .replaceAll(/[\u200e\u200f\u061c]/g, "");
}

/** The zero of each script, which is followed by the other digits of the script. */
const zeros = ["٠", "۰", "०", "０"].map((zero) => zero.codePointAt(0) ?? 0);

function zeroBefore(digit: string): number {
  return zeros.findLast((zero) => zero <= (digit.codePointAt(0) ?? 0)) ?? 0;
}
