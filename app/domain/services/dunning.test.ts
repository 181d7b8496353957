import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { DAY, HOUR } from "../calendar"
import {
  type DunnedService,
  type DunningPolicy,
  dueStep,
  effectiveEnd,
  firstStep,
  graceEnd,
  isDecisive,
  NOTICE_BEFORE,
  stepAfter,
} from "./dunning"

const END = Date.UTC(2027, 5, 15, 12)
const START = END - 31 * DAY
const policy: DunningPolicy = { reminders: [7, 1], graceDays: 3, terminateAfterDays: 14 }

const active: DunnedService = {
  status: "Active",
  paidUntil: END,
  termLength: 31 * DAY,
  isTrial: false,
  notBefore: null,
  graceDays: null,
  suspension: null,
  declinedAt: null,
  balanceRenewal: false,
  isMailed: true,
}

function suspended(at: number, changes: Partial<DunnedService> = {}): DunnedService {
  const suspension = { owner: "non-payment", reason: null, at } as const
  return { ...active, status: "Suspended", suspension, ...changes }
}

test("a free trial is reminded of at four fifths, and suspended at its end without grace", () => {
  const trial = { ...active, termLength: DAY, isTrial: true, graceDays: 5 }
  expect(life(trial, { from: END - DAY }).slice(0, 2)).toEqual([
    ["trial-reminder", END - 0.2 * DAY],
    ["suspend", END],
  ])
  const missed = { stored: "trial-reminder", at: END }
  expect(dueStep(trial, policy, missed)).toBe("suspend")
  const declined = { ...trial, declinedAt: START }
  expect(firstStep(declined, policy, END - DAY)).toEqual({ step: "suspend", at: END })
})

/** What happens to a service that nobody renews, if a pass looks at it every `every` milliseconds. */
function life(start: DunnedService, { from = START, every = 1, rules = policy } = {}) {
  const happened: [string, number][] = []
  let service = start
  let next = firstStep(service, rules, from)
  let passed = from
  while (next !== null) {
    const at: number = passed + Math.ceil(Math.max(0, next.at - passed) / every) * every
    passed = at
    const done = dueStep(service, rules, { stored: next.step, at })
    if (done === null) throw new Error(`Nothing to do at ${at} for ${next.step}`)
    happened.push([done, at])
    if (done === "terminate") return happened
    if (done === "suspend") {
      service = suspended(at, { ...start, status: "Suspended" })
      service = { ...service, suspension: { owner: "non-payment", reason: null, at } }
      next = firstStep(service, rules, at)
    } else next = stepAfter(service, rules, { done, at })
  }
  return happened
}

const days = (happened: readonly [string, number][]) => happened.map(([step, at]) => [step, (at - END) / DAY])

describe("a service that nobody renews", () => {
  test("is reminded twice, noticed at its end, suspended after the grace and terminated after a last notice", () => {
    expect(days(life(active))).toEqual([
      ["reminder-1", -7],
      ["reminder-2", -1],
      ["notice", 0],
      ["suspend", 3],
      ["last-notice", 14],
      ["terminate", 17],
    ])
  })

  test("has no step without mail but those that end it", () => {
    expect(days(life({ ...active, isMailed: false }))).toEqual([
      ["suspend", 3],
      ["terminate", 17],
    ])
  })

  test("is not reminded if its customer does not want to renew, but knows the day", () => {
    expect(days(life({ ...active, declinedAt: START }))).toEqual([
      ["notice", 0],
      ["suspend", 3],
      ["terminate", 17],
    ])
  })

  test("is not reminded earlier than at half of its term", () => {
    const rules = { ...policy, reminders: [20, 15, 7] }
    expect(days(life(active, { rules })).map(([step, day]) => [step, day])).toEqual([
      ["reminder-2", -15],
      ["reminder-3", -7],
      ["notice", 0],
      ["suspend", 3],
      ["last-notice", 14],
      ["terminate", 17],
    ])
  })

  test("is reminded at exactly half of its term", () => {
    const [first] = life({ ...active, termLength: 14 * DAY }, { from: END - 14 * DAY })
    expect(first).toEqual(["reminder-1", END - 7 * DAY])
  })

  test("keeps the grace of its product", () => {
    expect(days(life({ ...active, graceDays: 10 })).slice(2, 4)).toEqual([
      ["notice", 0],
      ["suspend", 10],
    ])
  })

  test("has its notice at the end also without a grace if it is to be renewed from credit, and a day to pay then", () => {
    const consented = { ...active, graceDays: 0, balanceRenewal: true }
    expect(days(life(consented)).slice(0, 4)).toEqual([
      ["reminder-1", -7],
      ["reminder-2", -1],
      ["notice", 0],
      ["suspend", 1],
    ])
  })

  test("without a grace has its notice a day before the end, in place of that day's reminder", () => {
    expect(days(life({ ...active, graceDays: 0 })).slice(0, 3)).toEqual([
      ["reminder-1", -7],
      ["notice", -1],
      ["suspend", 0],
    ])
    expect(firstStep({ ...active, graceDays: 0 }, policy, END - 6 * DAY)).toEqual({
      step: "notice",
      at: END - DAY,
    })
  })

  test("is protected until a day, and reminded before that day", () => {
    const until = END + 30 * DAY
    const protectedService = { ...active, notBefore: until }
    expect(effectiveEnd(protectedService, policy)).toBe(until - 3 * DAY)
    expect(graceEnd(protectedService, policy)).toBe(until)
    expect(days(life(protectedService))).toEqual([
      ["reminder-1", 20],
      ["reminder-2", 26],
      ["notice", 27],
      ["suspend", 30],
      ["last-notice", 41],
      ["terminate", 44],
    ])
  })

  test("has its last notice at half of the time to a termination that is near", () => {
    const rules = { ...policy, terminateAfterDays: 4 }
    expect(days(life(active, { rules })).slice(-2)).toEqual([
      ["last-notice", 5],
      ["terminate", 7],
    ])
  })

  test("is not terminated before a protection ends that began after its suspension", () => {
    const service = suspended(END + 3 * DAY, { notBefore: END + 60 * DAY })
    expect(firstStep(service, policy, END + 3 * DAY)?.at).toBe(END + 57 * DAY)
    expect(stepAfter(service, policy, { done: "last-notice", at: END + 57 * DAY })).toEqual({
      step: "terminate",
      at: END + 60 * DAY,
    })
  })

  test("that ended long ago has a whole grace once it is known", () => {
    expect(days(life(active, { from: END + 100 * DAY })).slice(0, 2)).toEqual([
      ["notice", 100],
      ["suspend", 101],
    ])
  })
})

describe("a pass that comes late", () => {
  test("sends one message and not three after two days", () => {
    const at = END + 12 * HOUR
    expect(dueStep(active, policy, { stored: "reminder-1", at })).toBe("notice")
    expect(stepAfter(active, policy, { done: "notice", at })).toEqual({ step: "suspend", at: END + 3 * DAY })
  })

  test("never suspends before a day has passed since the notice", () => {
    const at = END + 40 * DAY
    expect(dueStep(active, policy, { stored: "reminder-1", at })).toBe("notice")
    expect(stepAfter(active, policy, { done: "notice", at })?.at).toBe(at + NOTICE_BEFORE)
  })

  test("never terminates before a day has passed since the last notice", () => {
    const service = suspended(END + 3 * DAY)
    const at = END + 40 * DAY
    expect(dueStep(service, policy, { stored: "last-notice", at })).toBe("last-notice")
    expect(stepAfter(service, policy, { done: "last-notice", at })).toEqual({
      step: "terminate",
      at: at + NOTICE_BEFORE,
    })
  })
})

describe("a step whose time has been moved", () => {
  test("is not due any more", () => {
    const renewed = { ...active, paidUntil: END + 31 * DAY }
    for (const stored of ["reminder-1", "notice", "suspend"])
      expect(dueStep(renewed, policy, { stored, at: END + 3 * DAY })).toBeNull()
  })

  test("is found again under a configuration without it", () => {
    const rules = { ...policy, reminders: [2] }
    expect(dueStep(active, rules, { stored: "reminder-2", at: END - DAY })).toBe("reminder-1")
  })
})

test.each([
  ["no end", { ...active, paidUntil: null }],
  ["not set up", { ...active, status: "Pending" }],
  ["terminated", { ...active, status: "Terminated" }],
  ["suspended by the operator", suspended(END, { suspension: { owner: "operator", reason: null, at: END } })],
  ["suspended for fraud", suspended(END, { suspension: { owner: "fraud", reason: null, at: END } })],
] as const)("a service that is %s has no step", (_, service) => {
  expect(firstStep(service, policy, END)).toBeNull()
})

describe("for any configuration, service and rhythm of passes", () => {
  const day = fc.integer({ min: 0, max: 40 })
  const anyRules = fc.record({
    reminders: fc
      .uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 4 })
      .map((it) => it.sort((a, b) => b - a)),
    graceDays: day,
    terminateAfterDays: day,
  })
  const anyService = fc
    .record({
      termLength: fc.integer({ min: DAY, max: 400 * DAY }),
      notBefore: fc.option(fc.integer({ min: END - 40 * DAY, max: END + 40 * DAY })),
      graceDays: fc.option(day),
      declinedAt: fc.option(fc.constant(START)),
      balanceRenewal: fc.boolean(),
      isMailed: fc.boolean(),
    })
    .map((it): DunnedService => ({ ...active, ...it }))
  const rhythm = fc.constantFrom(1, HOUR, DAY, 2 * DAY, 100 * DAY)
  const anyLife = fc.tuple(anyService, anyRules, rhythm, fc.integer({ min: -60, max: 60 }))

  function lived([service, rules, every, from]: [DunnedService, DunningPolicy, number, number]) {
    const happened = life(service, { from: END + from * DAY, every, rules })
    return { happened, times: new Map(happened) }
  }

  test("every service is suspended once and terminated once, each step at most once and in order", () => {
    fc.assert(
      fc.property(anyLife, (it) => {
        const { happened } = lived(it)
        const steps = happened.map(([step]) => step)
        expect(new Set(steps).size).toBe(steps.length)
        expect(steps.filter((step) => isDecisive(step as "suspend"))).toEqual(["suspend", "terminate"])
        expect(steps.at(-1)).toBe("terminate")
        expect(happened.map(([, at]) => at)).toEqual(happened.map(([, at]) => at).sort((a, b) => a - b))
      }),
    )
  })

  test("nothing is suspended before its grace is over or its protection ends", () => {
    fc.assert(
      fc.property(anyLife, (it) => {
        const [service, rules] = it
        const { times } = lived(it)
        const suspendedAt = times.get("suspend") ?? 0
        expect(suspendedAt).toBeGreaterThanOrEqual(END + (service.graceDays ?? rules.graceDays) * DAY)
        expect(suspendedAt).toBeGreaterThanOrEqual(service.notBefore ?? 0)
        expect(times.get("terminate")).toBeGreaterThanOrEqual(suspendedAt + rules.terminateAfterDays * DAY)
      }),
    )
  })

  test("nothing is suspended or terminated by a shop with mail without a day's notice", () => {
    const mailed = anyService.map((it) => ({ ...it, isMailed: true }))
    const renewable = mailed.map((it) => ({ ...it, declinedAt: null }))
    const lives = (services: typeof mailed) =>
      fc.tuple(services, anyRules, rhythm, fc.integer({ min: -60, max: 60 }))
    const isNoticed = (times: Map<string, number>, notice: string, step: string) =>
      (times.get(notice) ?? Number.NaN) <= (times.get(step) ?? 0) - NOTICE_BEFORE
    fc.assert(fc.property(lives(mailed), (it) => isNoticed(lived(it).times, "notice", "suspend")))
    fc.assert(fc.property(lives(renewable), (it) => isNoticed(lived(it).times, "last-notice", "terminate")))
  })

  test("between two passes there is at most one message", () => {
    fc.assert(
      fc.property(anyLife, (it) => {
        const { happened } = lived(it)
        const messages = happened.filter(([step]) => !isDecisive(step as "suspend")).map(([, at]) => at)
        expect(new Set(messages).size).toBe(messages.length)
      }),
    )
  })
})
