import { describe, expect, test } from "vitest"
import { type AccessScope, covers, scopeFor } from "./customer"

const account: AccessScope = { reach: "account" }
const signUp = (passwordId: string | null | undefined): AccessScope => ({ reach: "sign-up", passwordId })

describe("the scope in which somebody orders for an account", () => {
  test("is that of the customer who is signed in to it", () => {
    expect(scopeFor("ana", { id: "ana", reach: "account" })).toEqual(account)
    expect(scopeFor("ana", { id: "ana", reach: "sign-up", passwordId: "p1" })).toEqual(signUp("p1"))
  })

  test("names no password where the whole account was proven", () => {
    expect(scopeFor("ana", { id: "ana", reach: "account", passwordId: "p1" })).toEqual({ reach: "account" })
  })

  test("is none for another customer, or for one who is not signed in", () => {
    expect(scopeFor("ana", { id: "ben", reach: "account" })).toBeNull()
    expect(scopeFor("ana", null)).toBeNull()
  })
})

describe("what a scope covers", () => {
  test.each<[string, AccessScope | null]>([
    ["the whole account", account],
    ["a sign-up password", signUp("p1")],
    ["no authentication", null],
  ])("the whole account covers what was ordered with %s", (_, orderedIn) => {
    expect(covers(account, orderedIn)).toBe(true)
  })

  test("a sign-up password covers what was ordered under it", () => {
    expect(covers(signUp("p1"), signUp("p1"))).toBe(true)
  })

  test.each<[string, AccessScope | null]>([
    ["another sign-up password", signUp("p2")],
    ["a password of before passwords had ids", signUp(null)],
    ["the whole account", account],
    ["the whole account, though it names the same password", { reach: "account", passwordId: "p1" }],
    ["no authentication", null],
  ])("a sign-up password does not cover what was ordered with %s", (_, orderedIn) => {
    expect(covers(signUp("p1"), orderedIn)).toBe(false)
  })

  test.each([null, undefined, ""])("a sign-up password whose id is %j covers nothing", (passwordId) => {
    expect(covers(signUp(passwordId), signUp(passwordId))).toBe(false)
  })
})
