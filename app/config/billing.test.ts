import { expect, test } from "vitest"
import { readConfig } from "./config.server"

const key = "a key of at least thirty-two characters"
const remote = { BILLING: "remote", BILLING_URL: "https://books.example/", BILLING_API_KEY: key }
const whmcs = {
  ...{ BILLING: "whmcs", WHMCS_URL: "https://billing.example/whmcs/", WHMCS_PLANS: "1, 2,3" },
  ...{ WHMCS_IDENTIFIER: "an identifier", WHMCS_SECRET: "a secret" },
}

test("a shop whose books another server keeps takes its payments there, and lines are made there", () => {
  expect(readConfig(remote)).toMatchObject({
    ...{ BILLING_URL: "https://books.example", BILLING_API_KEY: [key], PROVISIONER: "billing" },
    ...{ sandbox: false, BILLING_TIMEOUT_MS: 30_000 },
  })
})

test("a shop whose books WHMCS keeps takes its payments itself, and lines are made there", () => {
  expect(readConfig({ ...whmcs, WHMCS_RESELLER_PLANS: "group:4" })).toMatchObject({
    ...{ WHMCS_URL: "https://billing.example/whmcs", PROVISIONER: "billing", sandbox: true },
    ...{ WHMCS_PLANS: { ids: ["1", "2", "3"] }, WHMCS_RESELLER_PLANS: { group: "4" } },
  })
})

test("lines can be made by a panel of one's own, whoever keeps the books", () => {
  expect(readConfig({ ...whmcs, PROVISIONER: "local" }).PROVISIONER).toBe("local")
})

test("how many lines a reseller plan brings is said by plan", () => {
  const { RESELLER_PLAN_CREDITS } = readConfig({ RESELLER_PLAN_CREDITS: "12:25, 13:100" })
  expect([...RESELLER_PLAN_CREDITS]).toEqual([
    ["12", 25],
    ["13", 100],
  ])
})

test.each([
  ["a keeper of books that nobody knows", { BILLING: "paper" }, /BILLING/],
  ["books elsewhere without an address and a key", { BILLING: "remote" }, /BILLING_URL.*\n.*BILLING_API_KEY/],
  ["a key that is too short", { ...remote, BILLING_API_KEY: "short" }, /BILLING_API_KEY.*32 characters/],
  [
    "WHMCS without anything",
    { BILLING: "whmcs" },
    /WHMCS_URL.*\n.*WHMCS_IDENTIFIER.*\n.*WHMCS_SECRET.*\n.*WHMCS_PLANS/,
  ],
  ["plans that are no plans", { ...whmcs, WHMCS_PLANS: "all" }, /WHMCS_PLANS: must be like group:2/],
  ["a time zone that WHMCS cannot have", { ...whmcs, WHMCS_TIME_ZONE: "Mars" }, /WHMCS_TIME_ZONE/],
  ["a function that is none", { ...whmcs, WHMCS_RESTART_COMMAND: "rm -rf" }, /WHMCS_RESTART_COMMAND/],
  ["credits that are no numbers", { RESELLER_PLAN_CREDITS: "12:many" }, /RESELLER_PLAN_CREDITS/],
  ["lines that our own books shall make", { PROVISIONER: "billing" }, /PROVISIONER/],
])("%s stops the start, and the variable is named", (_, environment, named) => {
  expect(() => readConfig(environment)).toThrow(named)
})

test("what is wrong is said without repeating a key", () => {
  expect(() => readConfig({ ...remote, BILLING_API_KEY: "hunter2" })).not.toThrow(/hunter2/)
})
