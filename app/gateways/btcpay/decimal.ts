/** An exact decimal, `digits` divided by ten to the power of `scale`: coins have more places than money. */
export type Exact = { readonly digits: bigint; readonly scale: number }

/** The provider's decimals: up to 28 places, never with an exponent. */
const DECIMAL = /^-?\d{1,20}(\.\d{1,28})?$/

export const nothing: Exact = { digits: 0n, scale: 0 }

export function isDecimal(text: string): boolean {
  return DECIMAL.test(text)
}

/** Reads decimal text. Throws when it is none. */
export function exact(text: string): Exact {
  if (!isDecimal(text)) throw new Error(`Not a decimal: "${text}"`)
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

/** Without zeros at its end: "0.00012", "-3", "0". */
export function textOf({ digits, scale }: Exact): string {
  const all = String(digits < 0n ? -digits : digits).padStart(scale + 1, "0")
  const whole = all.slice(0, all.length - scale)
  const fraction = all.slice(all.length - scale).replace(/0+$/, "")
  return `${digits < 0n ? "-" : ""}${whole}${fraction && "."}${fraction}`
}

/** A count of hundredths; half of one goes to the even neighbour, as the provider rounds. */
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
