import fc from "fast-check"
import type { Engine } from "../../fixtures/temporary-database"
import { type Deed, type DeedName, deedNames, startPurchases } from "./any-purchases"
import type { KindOfShop } from "./buyers-of-purchases"

type Weights = { readonly [Name in DeedName]?: number }

/** What every sequence has, and how often each deed is taken, compared with the others. */
const common: Weights = { waits: 6, "orders a plan": 2, renews: 8, pays: 12 }

/** Deeds that belong together. A sequence has those of some of them, so that they follow each other as they never would among all. */
const groups = [
  { "waits long": 1, "another customer comes": 2, "renews all": 2 },
  { "begins a trial": 3, declines: 1 },
  { "states a business": 2, "is a consumer again": 1, "gets an answer of the register": 2 },
  { connects: 4, "changes plan": 7, "keeps the plan": 1 },
  { "renews from credit": 2, "tops up": 3, "grants credit": 1 },
  { "is seen": 2, "marks as paid": 2, "marked as paid before entries": 2 },
  { refunds: 3, "refunds to credit": 3, "charges back": 2 },
  { "asks the gateway to refund": 3, "hears of the refunds": 3, "refunds to credit": 1 },
  { cancels: 2, flags: 1, releases: 1 },
  { "gives days": 1, "takes days back": 1, suspends: 1, resumes: 1, terminates: 1 },
  { "buys reseller credits": 2, "makes a line": 2, "extends lines": 1, "cancels a line": 1 },
] as const satisfies readonly Weights[]

type Drawn = Omit<Deed, "does"> & { readonly draw: number }

const drawn: fc.Arbitrary<Drawn> = fc.record({
  draw: fc.nat(9_999),
  nth: fc.nat(5),
  share: fc.constantFrom(1, 33, 50, 99, 100, 100, 100, 100, 130),
  count: fc.constantFrom(1, 2, 3),
  isPaid: fc.boolean(),
})

/** Deeds that no sequence would have. */
export const deedsLeftOut = deedNames.filter((name) => ![common, ...groups].some((it) => name in it))

function sequenceOf(chosen: readonly Weights[], all: readonly Drawn[]): readonly Deed[] {
  const lots = [common, ...chosen].flatMap((weights) =>
    deedNames.flatMap((name) => Array<DeedName>(weights[name] ?? 0).fill(name)),
  )
  return all.map(({ draw, ...deed }) => ({ ...deed, does: lots[draw % lots.length] ?? "waits" }))
}

const shops: fc.Arbitrary<KindOfShop> = fc.record({
  prices: fc.constantFrom("inclusive", "exclusive"),
  planChange: fc.constantFrom("difference", "convert"),
  first: fc.constantFrom("consumer", "business", "business"),
  numberAnswer: fc.constantFrom("valid", "unanswered", "unanswered"),
})

const begun: Deed = { does: "orders a plan", nth: 0, share: 100, count: 1, isPaid: true }

/** Any deeds after the purchase of a plan, each run in a shop of its own, of any kind. */
export function anyPurchases(engine: Engine, { min, max }: { readonly min: number; readonly max: number }) {
  const sequences = fc
    .tuple(
      fc.subarray<Weights>([...groups], { minLength: 4 }),
      fc.array(drawn, { minLength: min, maxLength: max, size: "max" }),
    )
    .map(([chosen, all]) => sequenceOf(chosen, all))
  // Small and large numbers are no likelier than others: a deed is as likely as it weighs.
  return fc.asyncProperty(shops, fc.noBias(sequences), async (kind, all) => {
    const purchases = await startPurchases(engine, kind)
    try {
      for (const deed of [begun, ...all]) await purchases.take(deed)
      await purchases.end()
    } finally {
      await purchases.close()
    }
  })
}
