import fc from "fast-check"
import type { Engine } from "../../fixtures/temporary-database"
import { type Deed, type DeedName, startPurchases } from "./any-purchases"

/** How often each deed is taken, compared with the others. */
const weights: Readonly<Record<DeedName, number>> = {
  waits: 6,
  "waits long": 1,
  "orders a plan": 2,
  renews: 8,
  "renews all": 2,
  connects: 4,
  "changes plan": 7,
  "keeps the plan": 1,
  declines: 1,
  "renews from credit": 2,
  "tops up": 3,
  "is seen": 2,
  pays: 12,
  "marks as paid": 2,
  "marked as paid before entries": 2,
  refunds: 3,
  "refunds to credit": 3,
  "charges back": 1,
  cancels: 2,
  flags: 1,
  releases: 1,
  "gives days": 1,
  "takes days back": 1,
  suspends: 1,
  resumes: 1,
  terminates: 1,
  "grants credit": 1,
  "buys reseller credits": 1,
  "makes a line": 1,
  "extends lines": 1,
  "cancels a line": 1,
}

const deeds: fc.Arbitrary<Deed> = fc.record({
  does: fc.oneof(
    ...Object.entries(weights).map(([name, weight]) => ({
      weight,
      arbitrary: fc.constant(name as DeedName),
    })),
  ),
  nth: fc.nat(5),
  share: fc.constantFrom(1, 33, 50, 99, 100, 100, 100, 100, 130),
  count: fc.constantFrom(1, 2, 3),
  isPaid: fc.boolean(),
})

const begun: Deed = { does: "orders a plan", nth: 0, share: 100, count: 1, isPaid: true }

/** Any deeds after the purchase of a plan, each run in a shop of its own. */
export function anyPurchases(engine: Engine, { min, max }: { readonly min: number; readonly max: number }) {
  return fc.asyncProperty(fc.array(deeds, { minLength: min, maxLength: max, size: "max" }), async (all) => {
    const purchases = await startPurchases(engine)
    try {
      for (const deed of [begun, ...all]) await purchases.take(deed)
      await purchases.end()
    } finally {
      await purchases.close()
    }
  })
}
