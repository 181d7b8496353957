import { expect, test } from "vitest"
import { PASSWORD_LENGTH } from "../customers/customer"
import { accountActions, accountActionsFor, isAccountAction, newPasswordProblem } from "./operator-account"

const other = { isOwn: false, isDisabled: false, hasSessions: true }

test.each([
  ["another operator's account", other, accountActions],
  ["one without an open session", { ...other, hasSessions: false }, ["reset-operator", "disable-operator"]],
  ["a disabled one", { ...other, isDisabled: true, hasSessions: false }, ["reset-operator"]],
  ["the own account", { ...other, isOwn: true }, []],
] as const)("an owner may do with %s what its state allows", (_, state, allowed) => {
  expect(accountActionsFor("owner", state)).toEqual(allowed)
})

test.each(["support", "viewer"] as const)("%s may do nothing with another operator's account", (role) => {
  expect(accountActionsFor(role, other)).toEqual([])
})

test("other actions of the console are none of an account", () => {
  expect([isAccountAction("add-operator"), isAccountAction("")]).toEqual([false, false])
})

test("an operator's new password has a length and is typed twice alike", () => {
  const shortest = "a".repeat(PASSWORD_LENGTH.min)
  const longest = "a".repeat(PASSWORD_LENGTH.max)
  expect(newPasswordProblem(shortest, shortest)).toBeNull()
  expect(newPasswordProblem(longest, longest)).toBeNull()
  expect(newPasswordProblem(shortest.slice(1), shortest.slice(1))).toBe("tooShort")
  expect(newPasswordProblem(`${longest}a`, `${longest}a`)).toBe("tooLong")
  expect(newPasswordProblem(shortest, longest)).toBe("notSame")
})
