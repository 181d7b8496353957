/** By what a payment in a coin is found on its network: the address to which it was to be paid, or a transaction that has paid it. */
export type CoinReference = { readonly kind: "address" | "transaction"; readonly value: string }

/** Longest address or transaction that is kept: a Lightning invoice is some hundred characters. */
const MAX_LENGTH = 1_000

/** References of what a provider has named, without what is missing or too long. */
export function coinReferences(
  addresses: readonly (string | null | undefined)[],
  transactions: readonly (string | null | undefined)[],
): readonly CoinReference[] {
  const named = (kind: CoinReference["kind"], values: readonly (string | null | undefined)[]) =>
    values.flatMap((value) => (value && value.length <= MAX_LENGTH ? [{ kind, value }] : []))
  return [...named("address", addresses), ...named("transaction", transactions)]
}

/**
 * What references are compared by, as buyers and wallets write them: in any case, as a payment URI ("bitcoin:BC1Q…?amount=1"), or as a
 * transaction with the number of its output ("4f2c…-0"), which begins with that without.
 */
export function coinReferenceKey(text: string): string {
  return text
    .trim()
    .replace(/^[a-z]+:(?:\/\/)?/i, "")
    .replace(/\?.*$/s, "")
    .toLowerCase()
}
