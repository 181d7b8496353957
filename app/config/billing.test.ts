import { expect, test } from "vitest"
import { readConfig } from "./config.server"

const key = "a key of at least thirty-two characters"
const remote = { BILLING: "remote", BILLING_URL: "https://books.example/", BILLING_API_KEY: key }
const whmcs = {
  BILLING: "whmcs",
  WHMCS_URL: "https://billing.example/whmcs/",
  WHMCS_PLANS: "1, 2,3",
  WHMCS_IDENTIFIER: "an identifier",
  WHMCS_SECRET: "a secret",
}

test("with a remote billing API, payments and provisioning go through that API", () => {
  expect(readConfig(remote)).toMatchObject({
    BILLING_URL: "https://books.example",
    BILLING_API_KEY: [key],
    PROVISIONER: "billing",
    sandbox: false,
    BILLING_TIMEOUT_MS: 30_000,
  })
})

test("with WHMCS, the checkout takes payments itself and WHMCS provisions services", () => {
  expect(readConfig({ ...whmcs, WHMCS_RESELLER_PLANS: "group:4" })).toMatchObject({
    WHMCS_URL: "https://billing.example/whmcs",
    PROVISIONER: "billing",
    sandbox: true,
    WHMCS_PLANS: { ids: ["1", "2", "3"] },
    WHMCS_RESELLER_PLANS: { group: "4" },
  })
})

test("PROVISIONER selects another panel than the billing system's own", () => {
  expect(readConfig({ ...whmcs, PROVISIONER: "local" }).PROVISIONER).toBe("local")
})

test("reads the credits of each reseller plan from RESELLER_PLAN_CREDITS", () => {
  const { RESELLER_PLAN_CREDITS } = readConfig({ RESELLER_PLAN_CREDITS: "12:25, 13:100" })
  expect([...RESELLER_PLAN_CREDITS]).toEqual([
    ["12", 25],
    ["13", 100],
  ])
})

test.each([
  ["an unknown billing system", { BILLING: "paper" }, /BILLING/],
  ["a remote billing API without a URL and a key", { BILLING: "remote" }, /BILLING_URL.*\n.*BILLING_API_KEY/],
  [
    "a key of fewer than 32 characters",
    { ...remote, BILLING_API_KEY: "short" },
    /BILLING_API_KEY.*32 characters/,
  ],
  [
    "WHMCS without any of its variables",
    { BILLING: "whmcs" },
    /WHMCS_URL.*\n.*WHMCS_IDENTIFIER.*\n.*WHMCS_SECRET.*\n.*WHMCS_PLANS/,
  ],
  ["an invalid list of plans", { ...whmcs, WHMCS_PLANS: "all" }, /WHMCS_PLANS: must be like group:2/],
  ["an unknown time zone of WHMCS", { ...whmcs, WHMCS_TIME_ZONE: "Mars" }, /WHMCS_TIME_ZONE/],
  [
    "an invalid name of a module function",
    { ...whmcs, WHMCS_RESTART_COMMAND: "rm -rf" },
    /WHMCS_RESTART_COMMAND/,
  ],
  ["credits that are not numbers", { RESELLER_PLAN_CREDITS: "12:many" }, /RESELLER_PLAN_CREDITS/],
  ["provisioning through embedded billing", { PROVISIONER: "billing" }, /PROVISIONER/],
])("rejects %s with an error that names the variable", (_, environment, named) => {
  expect(() => readConfig(environment)).toThrow(named)
})

test("an error message does not contain the key", () => {
  expect(() => readConfig({ ...remote, BILLING_API_KEY: "hunter2" })).not.toThrow(/hunter2/)
})
