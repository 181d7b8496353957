/** An exact decimal: `digits` / 10^`scale`. Coins have more decimal places than money. */
export type Exact = { readonly digits: bigint; readonly scale: number }

/** BTCPay's decimals: up to 28 places, never with an exponent. */
const DECIMAL = /^-?\d{1,20}(\.\d{1,28})?$/

export const nothing: Exact = { digits: 0n, scale: 0 }

export function isDecimal(text: string): boolean {
  return DECIMAL.test(text)
}

/** Parses decimal text. Throws on any other text. */
export function exact(text: string): Exact {
  if (!isDecimal(text)) throw new Error(`Invalid decimal: "${text}"`)
  const [whole = "", fraction = ""] = text.split(".")
  return { digits: BigInt(whole + fraction), scale: fraction.length }
}

export function plus(a: Exact, b: Exact): Exact {
  const scale = Math.max(a.scale, b.scale)
  return { digits: at(a, scale) + at(b, scale), scale }
}

export function minus(a: Exact, b: Exact): Exact {
  return plus(a, { ...b, digits: -b.digits })
}

export function times(a: Exact, b: Exact): Exact {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale }
}

/** Formats without trailing zeros: "0.00012", "-3", "0". */
export function textOf({ digits, scale }: Exact): string {
  const all = String(digits < 0n ? -digits : digits).padStart(scale + 1, "0")
  const whole = all.slice(0, all.length - scale)
  const fraction = all.slice(all.length - scale).replace(/0+$/, "")
  return `${digits < 0n ? "-" : ""}${whole}${fraction && "."}${fraction}`
}

/** Rounds to hundredths, half to even (banker's rounding), as BTCPay does. */
export function hundredths(amount: Exact): bigint {
  const scale = Math.max(amount.scale, 2)
  const [digits, unit] = [at(amount, scale), 10n ** BigInt(scale - 2)]
  const whole = digits / unit
  const twice = (digits < 0n ? -1n : 1n) * 2n * (digits % unit)
  const isUp = twice > unit || (twice === unit && whole % 2n !== 0n)
  return isUp ? whole + (digits < 0n ? -1n : 1n) : whole
}

function at({ digits, scale }: Exact, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - scale)
}
