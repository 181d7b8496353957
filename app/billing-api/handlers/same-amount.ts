/** Whether a caller's amount equals a decimal with two places: "12.5" equals "12.50". */
export function isSame(text: string, decimal: string): boolean {
  const [whole = "", fraction = ""] = text.split(".")
  return `${Number(whole)}.${fraction.replace(/0+$/, "").padEnd(2, "0")}` === decimal
}
