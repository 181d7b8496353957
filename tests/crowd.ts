import { buyWhateverHappens } from "./stubborn-buyer"

/** As long as it takes a busy machine. */
const PATIENCE = 240_000

type Shop = { readonly url: string; readonly sandboxUrl: string }

/** What a crowd has met so far. */
export type Tally = {
  /** Purchases that ended with access. */
  purchases: number
  /** Answers that asked to come again. */
  refused: number
  /** Answers that never came. */
  lost: number
}

export function newTally(): Tally {
  return { purchases: 0, refused: 0, lost: 0 }
}

/** As many buyers, by e-mail, none of whom has come before the `from`th. */
export function buyers(count: number, from = 0): readonly string[] {
  return Array.from({ length: count }, (_, nth) => `buyer${from + nth}@example.test`)
}

/**
 * All of them come at the same moment, each from an address of his own, and stay until they have bought; `tally` is
 * kept while they do. The shop has to believe what proxies on this machine say of addresses.
 */
export async function buyAtOnce(shop: Shop, emails: readonly string[], tally: Tally): Promise<void> {
  await Promise.all(
    emails.map(async (email) => {
      await buyWhateverHappens(shop, {
        ...{ email, patience: PATIENCE },
        headers: { "x-forwarded-for": addressOf(email) },
        refused: () => void tally.refused++,
        lost: () => void tally.lost++,
      })
      tally.purchases++
    }),
  )
}

/** The same person is always at the same address, and nobody else is. */
function addressOf(email: string): string {
  const number = Number(email.replace(/\D/g, ""))
  return `93.${Math.floor(number / 65_536) % 256}.${Math.floor(number / 256) % 256}.${number % 256}`
}
