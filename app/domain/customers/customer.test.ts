import { describe, expect, test } from "vitest"
import { DAY } from "../calendar"
import {
  type AccessScope,
  covers,
  hasRecentProof,
  ownsAccount,
  RECENT_PROOF_PERIOD,
  scopeFor,
} from "./customer"

const NOON = 1_000 * DAY
const account: AccessScope = { reach: "account" }
const signUp = (passwordId: string | null | undefined): AccessScope => ({ reach: "sign-up", passwordId })

describe("the scope of an order for a customer account", () => {
  test("is the scope of the customer signed in to that account", () => {
    expect(scopeFor("ana", { id: "ana", reach: "account" })).toEqual(account)
    expect(scopeFor("ana", { id: "ana", reach: "sign-up", passwordId: "p1" })).toEqual(signUp("p1"))
  })

  test("contains no password id when the whole account was authenticated", () => {
    expect(scopeFor("ana", { id: "ana", reach: "account", passwordId: "p1" })).toEqual({ reach: "account" })
  })

  test("is null for another customer and for a signed-out visitor", () => {
    expect(scopeFor("ana", { id: "ben", reach: "account" })).toBeNull()
    expect(scopeFor("ana", null)).toBeNull()
  })
})

describe("recent proof", () => {
  test.each([
    ["the password a moment ago", { how: "password", at: NOON - RECENT_PROOF_PERIOD + 1 }, true],
    ["a sign-in by mail a moment ago", { how: "link", at: NOON - RECENT_PROOF_PERIOD + 1 }, true],
    ["a sign-in a quarter of an hour ago", { how: "password", at: NOON - RECENT_PROOF_PERIOD }, false],
    ["an unsigned link", { how: "trusted-link", at: NOON }, false],
    ["nothing", null, false],
  ] as const)("is or is not: %s", (_, proof, isRecent) => {
    expect(hasRecentProof(proof, NOON)).toBe(isRecent)
  })
})

describe("coverage of an access scope", () => {
  test.each<[string, AccessScope | null]>([
    ["the whole account", account],
    ["a sign-up password", signUp("p1")],
    ["no authentication", null],
  ])("the account scope covers orders placed with %s", (_, orderedIn) => {
    expect(covers(account, orderedIn)).toBe(true)
  })

  test("a sign-up password covers orders placed with it", () => {
    expect(covers(signUp("p1"), signUp("p1"))).toBe(true)
  })

  test.each<[string, AccessScope | null]>([
    ["another sign-up password", signUp("p2")],
    ["a password without an id (older versions)", signUp(null)],
    ["the whole account", account],
    ["the whole account and the same password id", { reach: "account", passwordId: "p1" }],
    ["no authentication", null],
  ])("a sign-up password does not cover orders placed with %s", (_, orderedIn) => {
    expect(covers(signUp("p1"), orderedIn)).toBe(false)
  })

  test.each([null, undefined, ""])("a sign-up password whose id is %j covers nothing", (passwordId) => {
    expect(covers(signUp(passwordId), signUp(passwordId))).toBe(false)
  })
})

test("only a customer who is signed in for the whole account owns what belongs to it", () => {
  const service = { customerId: "c1" }
  expect(ownsAccount({ id: "c1", reach: "account" }, service)).toBe(true)
  expect(ownsAccount({ id: "c1", reach: "sign-up", passwordId: "p1" }, service)).toBe(false)
  expect(ownsAccount({ id: "c2", reach: "account" }, service)).toBe(false)
  expect(ownsAccount(null, service)).toBe(false)
})
