/**
 * Parses an amount as WHMCS displays it, "$-8.67 USD" or "1.234,56 EUR", to minor units; null if there is none. A currency has its
 * own separators, which the API does not name with the amount: two digits after the last separator are the decimals, and other
 * separators group thousands.
 */
export function displayedAmount(text: string): number | null {
  const digits = /\d[\d.,' \u00a0]*/
    .exec(text)?.[0]
    .replaceAll(/[^\d.,]/g, "")
    .replace(/[.,]$/, "")
  if (digits === undefined) return null
  const [, whole = digits, decimals = ""] = /^(.*)[.,](\d\d)$/.exec(digits) ?? []
  const minor = Number(whole.replaceAll(/\D/g, "")) * 100 + Number(decimals)
  return text.includes("-") && minor !== 0 ? -minor : minor
}
