import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { DAY, HOUR, type Instant } from "../calendar"
import { type Cycle, cycles, monthsOf } from "../catalogue/billing-cycle"
import { money } from "../money/money"
import {
  asRenewed,
  changeableFrom,
  type PlanChangePolicy,
  type PlanTarget,
  type Purchase,
  planChange,
  planChangeQuote,
  unusedValue,
} from "./plan-change"
import { endOfTerm, newTerm, type Term, withCycles, withDays } from "./term"

const euro = (minor: number) => money(minor, "EUR")
const zone = "Europe/Madrid"
const instant = (text: string) => Date.parse(`${text}Z`)
const begin = instant("2026-04-01T10:00")

const basic = { productId: "1", name: "Basic", cycle: "monthly", price: euro(1_000) } as const
const plus = { productId: "2", name: "Plus", cycle: "monthly", price: euro(2_000) } as const
const year = { productId: "3", name: "12 months", cycle: "annually", price: euro(6_000) } as const

type State = { term: Term; cycle: Cycle; purchases: readonly Purchase[] }

const month: State = {
  term: newTerm(begin, zone, 1),
  cycle: "monthly",
  purchases: [{ kind: "terms", cycles: 1, paid: 1_000 }],
}

const unused = ({ term, cycle, purchases }: State, at: Instant) =>
  unusedValue(purchases, { term, cycle, at, currency: "EUR" })

function change(
  state: State,
  target: PlanTarget,
  { at, policy = "difference", from = basic }: { at: Instant; policy?: PlanChangePolicy; from?: PlanTarget },
) {
  const { term, cycle } = state
  const { productId, price } = from
  return planChange({ term, cycle, productId, price, at, zone, policy, unused: unused(state, at) }, target)
}

/** After a third of a term that began on 1 April, of 30 days. */
const afterTenDays = begin + 10 * DAY

describe("value of the unused time", () => {
  test("is the share of the paid price that is left, rounded down to the cent", () => {
    expect(unused(month, begin)).toEqual(euro(1_000))
    expect(unused(month, afterTenDays)).toEqual(euro(666))
    expect(unused(month, begin + 30 * DAY)).toEqual(euro(0))
  })

  test("is that of the price after the discount", () => {
    const discounted = { ...month, purchases: [{ kind: "terms", cycles: 1, paid: 300 }] as const }
    expect(unused(discounted, afterTenDays)).toEqual(euro(200))
  })

  test("counts each renewal with its own price, the last one at the end", () => {
    const renewed: State = {
      ...month,
      term: newTerm(begin, zone, 3),
      purchases: [
        { kind: "terms", cycles: 1, paid: 300 },
        { kind: "terms", cycles: 2, paid: 2_000 },
      ],
    }
    expect(unused(renewed, afterTenDays)).toEqual(euro(2_200))
    expect(unused(renewed, instant("2026-05-01T10:00"))).toEqual(euro(2_000))
    expect(unused(renewed, instant("2026-06-01T10:00"))).toEqual(euro(1_000))
  })

  test("counts connections from their purchase to the end", () => {
    const connected: State = {
      ...month,
      purchases: [...month.purchases, { kind: "connections", at: afterTenDays, takenDays: 0, paid: 500 }],
    }
    expect(unused(connected, begin + 20 * DAY)).toEqual(euro(333 + 250))
  })

  test("is without what was refunded, also of what was paid before a change", () => {
    const changed: State = {
      ...month,
      purchases: [
        { kind: "terms", cycles: 1, paid: 0 },
        { kind: "change", at: afterTenDays, takenDays: 0, moved: 666, paidBefore: 1_000, paid: 668 },
      ],
    }
    expect(unused(changed, afterTenDays)).toEqual(euro(668))
  })

  test("is never more than was paid in all, also if more was moved by an earlier change", () => {
    const changed: State = {
      ...month,
      purchases: [
        { kind: "terms", cycles: 1, paid: 300 },
        { kind: "change", at: afterTenDays, takenDays: 0, moved: 666, paidBefore: 300, paid: 100 },
      ],
    }
    expect(unused(changed, afterTenDays)).toEqual(euro(400))
  })

  test("is zero for time that the operator has given, and less by days that were taken back", () => {
    const given = { ...month, term: withDays(month.term, 5) }
    expect(unused(given, begin + 32 * DAY)).toEqual(euro(0))
    expect(unused(given, afterTenDays)).toEqual(euro(666))
    expect(unused({ ...month, term: withDays(month.term, -10) }, begin + 10 * DAY)).toEqual(euro(333))
  })

  test("of what was bought after days were taken back, is the whole of it at first", () => {
    const short = { ...month, term: withDays(month.term, -10) }
    const bought = { at: afterTenDays, takenDays: 10 }
    const connected: State = {
      ...short,
      purchases: [...month.purchases, { kind: "connections", ...bought, paid: 500 }],
    }
    expect(unused(connected, afterTenDays)).toEqual(euro(333 + 500))
    expect(unused(connected, afterTenDays + 5 * DAY)).toEqual(euro(166 + 250))
    const changed: State = {
      ...short,
      purchases: [
        ...month.purchases,
        { kind: "change", ...bought, moved: 333, paidBefore: 1_000, paid: 334 },
      ],
    }
    expect(unused(changed, afterTenDays)).toEqual(euro(667))
    expect(unused(changed, afterTenDays + 5 * DAY)).toEqual(euro(333))
  })

  test("forgets the terms before one that began anew", () => {
    const anew: State = {
      ...month,
      term: newTerm(instant("2026-08-01T10:00"), zone, 1),
      purchases: [...month.purchases, { kind: "terms", cycles: 1, paid: 900 }],
    }
    expect(unused(anew, instant("2026-08-01T10:00"))).toEqual(euro(900))
  })
})

describe("a change of plan", () => {
  test("to a dearer plan of the same cycle keeps the end and costs the difference", () => {
    const found = change(month, plus, { at: afterTenDays })
    expect(found).toMatchObject({
      when: "now",
      kind: "same-end",
      credit: euro(666),
      charge: euro(1_334),
      due: euro(668),
      until: endOfTerm(month.term, "monthly"),
      term: month.term,
    })
  })

  test("is converted, if the operator wants that, into as much time as the rest is worth", () => {
    const found = change(month, plus, { at: afterTenDays, policy: "convert" })
    expect(found).toMatchObject({ when: "now", kind: "converted", credit: euro(666), due: euro(0) })
    // 6.66 of 20.00 are a third of the month that begins now.
    expect(found?.when === "now" && Math.round((found.until - afterTenDays) / HOUR)).toBe(240)
    expect(found?.when === "now" && found.until - afterTenDays).toBeLessThanOrEqual(240 * HOUR)
  })

  test("is not converted into less than a day, nor into a longer cycle at a lower price", () => {
    const late = begin + 29 * DAY
    expect(change(month, plus, { at: late, policy: "convert" })?.when).toBe("at-end")
    expect(change(month, year, { at: afterTenDays, policy: "convert" })).toMatchObject({ kind: "new-term" })
  })

  test("to a longer cycle begins a term of it now, for its price less the unused time", () => {
    expect(change(month, year, { at: afterTenDays })).toMatchObject({
      kind: "new-term",
      credit: euro(666),
      charge: euro(6_000),
      due: euro(5_334),
      until: endOfTerm(newTerm(afterTenDays, zone, 1), "annually"),
    })
  })

  test("to a cheaper plan or a shorter cycle waits for the end", () => {
    const free = { ...basic, productId: "0", price: euro(500) }
    const from = endOfTerm(month.term, "monthly")
    expect(change(month, free, { at: afterTenDays })).toEqual({ ...free, when: "at-end", from })
    const yearly: State = {
      ...month,
      cycle: "annually",
      purchases: [{ kind: "terms", cycles: 1, paid: 6_000 }],
    }
    expect(change(yearly, plus, { at: afterTenDays, from: year })?.when).toBe("at-end")
  })

  test("waits for the end, if more has been paid than the new term costs", () => {
    const ahead: State = {
      ...month,
      term: newTerm(begin, zone, 12),
      purchases: [{ kind: "terms", cycles: 12, paid: 12_000 }],
    }
    expect(change(ahead, year, { at: afterTenDays })?.when).toBe("at-end")
  })

  test("leaves the days that the operator has given after the paid time", () => {
    const given = { ...month, term: withDays(month.term, 5) }
    const end = endOfTerm(given.term, "monthly")
    expect(change(given, plus, { at: afterTenDays })).toMatchObject({ charge: euro(1_334), until: end })
    expect(change(given, year, { at: afterTenDays })).toMatchObject({
      until: endOfTerm(withDays(newTerm(afterTenDays, zone, 1), 5), "annually"),
    })
    expect(change(given, year, { at: end - 3 * DAY })).toMatchObject({ term: { extraDays: 3 } })
  })

  test("is none to the present plan and cycle", () => {
    expect(change(month, basic, { at: afterTenDays })).toBeNull()
  })

  test("has an order of the new time less the unused one", () => {
    const found = change(month, plus, { at: afterTenDays })
    if (found?.when !== "now") throw new Error("not now")
    expect(planChangeQuote(found, basic)).toEqual({
      lines: [
        { kind: "planChange", productId: "2", name: "Plus", months: 1, amount: euro(1_334) },
        { kind: "unusedTime", name: "Basic", amount: euro(-666) },
      ],
      total: euro(668),
    })
  })

  test("is possible again a day later", () => {
    expect(changeableFrom(null, begin)).toBeNull()
    expect(changeableFrom(begin, begin + HOUR)).toBe(begin + DAY)
    expect(changeableFrom(begin, begin + DAY)).toBeNull()
  })
})

test("the plan that follows is renewed from the end of the paid time", () => {
  const paidUntil = endOfTerm(month.term, "monthly")
  const service = { productId: "1", name: "Basic", cycle: "monthly" as Cycle, term: month.term, paidUntil }
  expect(asRenewed(service, null)).toBe(service)
  expect(asRenewed(service, { ...year, startsAt: null })).toEqual({
    productId: "3",
    name: "12 months",
    cycle: "annually",
    term: newTerm(paidUntil, zone, 0),
    paidUntil,
  })
  expect(asRenewed(service, { ...year, startsAt: paidUntil })).toMatchObject({
    productId: "3",
    cycle: "monthly",
  })
})

/** What a customer or an operator may do, in any order. */
type Step =
  | { do: "wait"; hours: number }
  | { do: "renew"; cycles: number; paidShare: number }
  | { do: "change"; to: number }
  | { do: "refund"; purchase: number; share: number }
  | { do: "connect"; paid: number }
  | { do: "take"; days: number }

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("wait" as const), hours: fc.integer({ min: 0, max: 24 * 45 }) }),
  fc.record({
    do: fc.constant("renew" as const),
    cycles: fc.integer({ min: 1, max: 3 }),
    paidShare: fc.integer({ min: 0, max: 100 }),
  }),
  fc.record({ do: fc.constant("change" as const), to: fc.nat(11) }),
  fc.record({
    do: fc.constant("refund" as const),
    purchase: fc.nat(9),
    share: fc.integer({ min: 1, max: 100 }),
  }),
  fc.record({ do: fc.constant("connect" as const), paid: fc.integer({ min: 0, max: 900 }) }),
  fc.record({ do: fc.constant("take" as const), days: fc.integer({ min: 1, max: 40 }) }),
)

const anyPlan = fc.record({
  cycle: fc.constantFrom<Cycle>(...cycles.slice(0, 4)),
  perMonth: fc.integer({ min: 1, max: 3_000 }),
})

const anyWorld = fc.record({
  begin: fc.integer({ min: instant("2026-01-01T00:00"), max: instant("2027-12-31T00:00") }),
  plans: fc.array(anyPlan, { minLength: 2, maxLength: 6 }),
  steps: fc.array(anyStep, { maxLength: 14 }),
  policy: fc.constantFrom<PlanChangePolicy>("difference", "convert"),
})

type World = {
  at: Instant
  plan: PlanTarget
  next: PlanTarget | null
  state: State
  /** Money paid and refunded since the begin. */
  paid: number
  refunded: number
}

/** Follows the rules of the shop from step to step; `check` sees the world before and after each. */
function play(
  { begin, plans, steps, policy }: typeof anyWorld extends fc.Arbitrary<infer T> ? T : never,
  check: (before: World, after: World, step: Step) => void,
): void {
  const targets = plans.map(({ cycle, perMonth }, at): PlanTarget => {
    return { productId: `${at}`, name: `${at}`, cycle, price: euro(perMonth * monthsOf(cycle)) }
  })
  const [plan] = targets
  if (!plan) return
  let world: World = {
    at: begin,
    plan,
    next: null,
    state: {
      term: newTerm(begin, zone, 1),
      cycle: plan.cycle,
      purchases: [{ kind: "terms", cycles: 1, paid: plan.price.minor }],
    },
    paid: plan.price.minor,
    refunded: 0,
  }
  for (const step of steps) {
    const after = apply(world, step, { targets, policy })
    check(world, after, step)
    world = after
  }
}

type Rules = { targets: readonly PlanTarget[]; policy: PlanChangePolicy }

const endOf = ({ state }: World) => endOfTerm(state.term, state.cycle)

const act: { [D in Step["do"]]: (world: World, step: Extract<Step, { do: D }>, rules: Rules) => World } = {
  wait: (world, { hours }) => ({ ...world, at: world.at + hours * HOUR }),

  renew(world, { cycles, paidShare }) {
    const { state, at } = world
    const end = endOf(world)
    const plan = world.next ?? world.plan
    const paid = Math.floor((plan.price.minor * cycles * paidShare) / 100)
    const anchored = world.next || at > end ? newTerm(Math.max(at, end), zone, 0) : state.term
    return {
      ...world,
      // The plan that follows is taken at the end.
      at: world.next ? Math.max(at, end) : at,
      plan,
      next: null,
      state: {
        term: withCycles(anchored, cycles),
        cycle: plan.cycle,
        purchases: [...state.purchases, { kind: "terms", cycles, paid }],
      },
      paid: world.paid + paid,
    }
  },

  connect(world, { paid }) {
    const { state, at } = world
    if (endOf(world) <= at) return world
    const bought = { kind: "connections", at, takenDays: takenIn(state.term), paid } as const
    const purchases = [...state.purchases, bought]
    return { ...world, state: { ...state, purchases }, paid: world.paid + paid }
  },

  take(world, { days }) {
    const { state } = world
    return { ...world, state: { ...state, term: withDays(state.term, -days) } }
  },

  refund(world, { purchase, share }) {
    const refunded = world.state.purchases[purchase]
    if (!refunded) return world
    const back = Math.floor((refunded.paid * share) / 100)
    const purchases = world.state.purchases.map((it) =>
      it === refunded ? { ...it, paid: it.paid - back } : it,
    )
    return { ...world, state: { ...world.state, purchases }, refunded: world.refunded + back }
  },

  change(world, { to }, { targets, policy }) {
    const { state, at } = world
    const target = targets[to]
    const found = target && endOf(world) > at && change(state, target, { at, policy, from: world.plan })
    if (!found) return world
    if (found.when === "at-end") return { ...world, next: target }
    const { credit: moved, due } = found
    const paidBefore = state.purchases.reduce((sum, it) => sum + it.paid, 0)
    const bought = { at, takenDays: takenIn(found.term), paid: due.minor }
    const purchase = { kind: "change", moved: moved.minor, paidBefore, ...bought } as const
    return {
      ...world,
      plan: target,
      next: null,
      state: { term: found.term, cycle: target.cycle, purchases: [...state.purchases, purchase] },
      paid: world.paid + due.minor,
    }
  },
}

/** Days that were taken back, more than were given. */
function takenIn({ extraDays }: Term): number {
  return Math.max(0, -extraDays)
}

function apply(world: World, step: Step, rules: Rules): World {
  switch (step.do) {
    case "wait":
      return act.wait(world, step, rules)
    case "renew":
      return act.renew(world, step, rules)
    case "connect":
      return act.connect(world, step, rules)
    case "take":
      return act.take(world, step, rules)
    case "refund":
      return act.refund(world, step, rules)
    case "change":
      return act.change(world, step, rules)
  }
}

describe("no sequence of changes, renewals, connections and refunds", () => {
  const value = ({ state, at }: World) => unused(state, at).minor

  test("leaves unused time worth more than what was paid less what was refunded", () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        play(world, (_, after) => expect(value(after)).toBeLessThanOrEqual(after.paid - after.refunded))
      }),
      { numRuns: 200 },
    )
  })

  test("adds more value in one step than was paid in it", () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        play(world, (before, after) =>
          expect(value(after) - value(before)).toBeLessThanOrEqual(after.paid - before.paid),
        )
      }),
      { numRuns: 200 },
    )
  })

  test("pays money back: a change costs nothing or more, and its new time is worth what was moved and paid", () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        play(world, (before, after, step) => {
          if (step.do !== "change") return
          expect(after.paid).toBeGreaterThanOrEqual(before.paid)
          if (after.plan !== before.plan)
            expect(value(after)).toBeLessThanOrEqual(value(before) + after.paid - before.paid)
        })
      }),
      { numRuns: 200 },
    )
  })

  test("loses what was just paid for connections", () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        play(world, (before, after, step) => {
          if (step.do !== "connect" || value(before) === 0) return
          expect(value(after) - value(before)).toBeGreaterThanOrEqual(after.paid - before.paid)
        })
      }),
      { numRuns: 200 },
    )
  })

  test("gets time that was not paid at the price of its plan, where nothing is discounted", () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        let used = 0
        let rounding = 0
        const steps = world.steps
          .filter((step) => step.do !== "refund" && step.do !== "connect")
          .map((step) => (step.do === "renew" ? { ...step, paidShare: 100 } : step))
        play({ ...world, steps }, (before, after, step) => {
          used += usedAtPrice(before, Math.min(after.at, endOfTerm(before.state.term, before.state.cycle)))
          // Money that is turned into many months of a cheap plan is worth a cent more or less by the length of the months.
          rounding += step.do === "change" ? 3 : 1
          expect(Math.floor(used) + value(after)).toBeLessThanOrEqual(after.paid + rounding)
        })
      }),
      { numRuns: 200 },
    )
  })
})

/** Price of the time between now and another time, by the cycles of the plan. */
function usedAtPrice({ at, plan, state }: World, until: Instant): number {
  const { term, cycle } = state
  let sum = 0
  let [from, to] = [at, at]
  for (let count = -40; count <= term.count && to < until; count += 1) {
    const [start, end] = [count - 1, count].map((it) => endOfTerm({ ...term, count: it }, cycle))
    if (start === undefined || end === undefined || end <= from) continue
    to = Math.min(end, until)
    // Converted time is counted in months from the change on, which may be the longest ones.
    const length = count > 0 ? end - start : monthsOf(cycle) * 31 * DAY
    sum += (plan.price.minor * (to - Math.max(from, start))) / length
    from = to
  }
  return sum
}
