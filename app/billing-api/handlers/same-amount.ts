/** Whether an amount as a caller writes it is this one: "12.5" is as good as "12.50". */
export function isSame(text: string, decimal: string): boolean {
  const [whole = "", fraction = ""] = text.split(".")
  return `${Number(whole)}.${fraction.replace(/0+$/, "").padEnd(2, "0")}` === decimal
}
