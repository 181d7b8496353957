import fc from "fast-check"
import { test } from "vitest"
import { openDunnedShop } from "../../fixtures/dunned-shop"
import { type Deed, startLife } from "./life-of-a-service"

const of = <T>(...all: readonly T[]) => fc.constantFrom(...all)
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: of("waits" as const), days: of(0.5, 1, 3, 6, 10, 20) }) },
  fc.record({ does: of("finds the shop switched off" as const), days: of(1, 3, 9) }),
  { weight: 3, arbitrary: fc.record({ does: of("orders a renewal" as const), cycles: of(1, 2, 3) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: of("changes" as const),
      to: of("basic" as const, "plus" as const, "quarter" as const),
      policy: of("difference" as const, "convert" as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: of(
        "orders a connection" as const,
        "keeps the plan" as const,
        "is given days" as const,
        "declines" as const,
        "thinks again" as const,
      ),
    }),
  },
  { weight: 5, arbitrary: fc.record({ does: of("pays" as const), which: fc.nat(5) }) },
)

const toQuarter = { does: "changes", to: "quarter", policy: "difference" } as const
const toPlus = { ...toQuarter, to: "plus" } as const
const [renewal, connection] = [
  { does: "orders a renewal", cycles: 1 },
  { does: "orders a connection" },
] as const
const pays = { does: "pays", which: 0 } as const
const waits = (days: number) => ({ does: "waits", days }) as const

/** Lives that have to occur. */
const known: readonly (readonly Deed[])[] = [
  [waits(10), toQuarter, { does: "is given days" }, waits(0.5), pays],
  [waits(34), renewal, waits(0.5), pays, waits(60), renewal, pays, waits(3)],
  [toPlus, pays, waits(3), { ...toPlus, to: "basic" }, renewal, pays, waits(40), connection, pays],
  [renewal, connection, { does: "pays", which: 1 }, pays, { ...toPlus, policy: "convert" }, renewal, pays],
]

test("whatever is ordered, paid and chosen in whatever order: what is paid becomes what was ordered, or account credit", {
  timeout: 120_000,
}, async () => {
  const lives = fc.asyncProperty(fc.array(deed, { minLength: 20, maxLength: 40 }), async (deeds) => {
    const shop = await openDunnedShop("SQLite")
    try {
      const next = await startLife(shop)
      for (const it of deeds) await next(it)
    } finally {
      await shop.close()
    }
  })
  await fc.assert(lives, { numRuns: 30, examples: known.map((it) => [it]) })
})
