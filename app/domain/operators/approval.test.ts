import { describe, expect, test } from "vitest"
import { money } from "../money/money"
import { ACCESS_IS_NEW_FOR, awaitsConfirmation, isSettingUp, needsApproval, newAccess } from "./approval"

describe("an amount needs a second operator", () => {
  const limit = money(100_00, "EUR")
  test.each([
    ["100.00 EUR of 100.00 EUR", money(100_00, "EUR"), limit, false],
    ["100.01 EUR of 100.00 EUR", money(100_01, "EUR"), limit, true],
    ["1.00 USD of 100.00 EUR, since rates are unknown", money(1_00, "USD"), limit, true],
    ["9999.00 EUR without a limit", money(9_999_00, "EUR"), null, false],
    ["0.01 EUR of 0.00 EUR", money(1, "EUR"), money(0, "EUR"), true],
  ] as const)("%s", (_, amount, above, isNeeded) => {
    expect(needsApproval(amount, above)).toBe(isNeeded)
  })
})

describe("a request awaits its confirmation", () => {
  test.each([
    ["before it expires", null, null, 999, true],
    ["not from then on", null, null, 1_000, false],
    ["again, if it was confirmed and not carried out", "confirmed", null, 5_000, true],
    ["not once it was carried out", "confirmed", "done", 500, false],
    ["not once it was refused", "refused", "refused", 500, false],
  ] as const)("%s", (_, decision, result, now, isAwaited) => {
    expect(awaitsConfirmation({ decision, result, expiresAt: 1_000 }, now)).toBe(isAwaited)
  })
})

describe("an access is given while the console is set up", () => {
  test.each([
    ["with the first account", 100, null, true],
    ["in the first three days after it", 99 + ACCESS_IS_NEW_FOR, 100, true],
    ["not from then on", 100 + ACCESS_IS_NEW_FOR, 100, false],
  ])("%s", (_, at, firstAt, expected) => {
    expect(isSettingUp({ at, firstAt })).toBe(expected)
  })
})

describe("an access that is too new for a confirmation", () => {
  const at = (accessAt: number) => ({ accessAt, countsAtOnce: false })
  const ofSetUp = (accessAt: number) => ({ accessAt, countsAtOnce: true })
  const later = 100 + ACCESS_IS_NEW_FOR
  test.each([
    ["is that of who confirms", at(0), at(100), later - 1, { whose: "confirmer", until: later }],
    ["is that of who has asked", at(100), at(0), later - 1, { whose: "asker", until: later }],
    ["is the newer of both", at(50), at(100), 200, { whose: "confirmer", until: later }],
    [
      "is the newer of both, also that of who has asked",
      at(100),
      at(50),
      200,
      { whose: "asker", until: later },
    ],
    [
      "is that of who has asked, and the admin CLI confirms",
      at(100),
      null,
      200,
      { whose: "asker", until: later },
    ],
    [
      "is that of who confirms what the admin CLI has asked for",
      null,
      at(100),
      200,
      { whose: "confirmer", until: later },
    ],
    ["is none after three days", at(100), at(100), later, null],
    ["is none of two accounts of the set-up", ofSetUp(100), ofSetUp(110), 200, null],
    [
      "is that of who has asked in the console, and was not added at the set-up",
      at(100),
      ofSetUp(90),
      200,
      { whose: "asker", until: later },
    ],
    [
      "is that of an account of the set-up too, where the admin CLI confirms, which has added it",
      ofSetUp(100),
      null,
      200,
      { whose: "asker", until: later },
    ],
  ] as const)("%s", (_, asker, confirmer, now, expected) => {
    expect(newAccess({ asker, confirmer }, now)).toEqual(expected)
  })
})
