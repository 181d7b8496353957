import { expect, test } from "vitest"
import { readConfig } from "./config.server"
import { EnvironmentSchema } from "./environment.server"
import { formerVariables, formerVariablesIn } from "./former-variables"

const shop = {
  OFFSHORE_URL: "https://pay.example",
  OFFSHORE_CALLBACK_SECRET: "whsec_b25l",
}

/** A value of each variable that is not its default, under its former name, and how the configuration has it. */
const values: Record<keyof typeof formerVariables, readonly [text: string, parsed: unknown]> = {
  NEIGHBOUR_TIMEOUT_MS: ["2500", 2_500],
  MOST_AT_ONCE: ["7", 7],
  OFFSHORE_PAY_ORIGIN: ["https://a.example/", "https://a.example"],
  CRYPTOMUS_PAY_ORIGIN: ["https://b.example", "https://b.example"],
  BILLING_PAY_ORIGINS: ["https://c.example", ["https://c.example"]],
  BILLING_MAPS: ["php", "php"],
  GATEWAYS_DRAIN: ["coinbase", ["coinbase"]],
  FALLBACK_ADDRESS: ["192.0.2.1", "192.0.2.1"],
  RESELLER_CREDITS: ["12:25", new Map([["12", 25]])],
  CHANNELS_FILE: ["channels.m3u8", "channels.m3u8"],
  WHMCS_PUSH_MAC: ["none", "none"],
  WHMCS_RESTART: ["restart", "restart"],
  WHMCS_COUNT_CLICKS: ["off", "off"],
}
const names = Object.entries(formerVariables) as [keyof typeof formerVariables, string][]

test.each(names)("reads %s as %s", (former, name) => {
  const [text, parsed] = values[former]
  const config = readConfig({ SANDBOX: "on", [former]: text })
  expect(config).toEqual(readConfig({ SANDBOX: "on", [name]: text }))
  expect(config).toHaveProperty(name, parsed)
  expect(formerVariablesIn({ [former]: text })).toEqual([{ variable: former, replacement: name }])
})

test.each(names)("does not start with %s and %s set to different values, and names both", (former, name) => {
  const [text] = values[former]
  const both = { SANDBOX: "on", [former]: text, [name]: `${text}0` }
  expect(() => readConfig(both)).toThrow(`${former} and ${name} are set to different values`)
})

test("accepts both names with the same value", () => {
  const both = { ...shop, NEIGHBOUR_TIMEOUT_MS: "2500", UPSTREAM_TIMEOUT_MS: "2500" }
  expect(readConfig(both).UPSTREAM_TIMEOUT_MS).toBe(2_500)
})

test("an empty variable does not conflict with the other name", () => {
  expect(readConfig({ MOST_AT_ONCE: "", MAX_CONCURRENT_REQUESTS: "9" }).MAX_CONCURRENT_REQUESTS).toBe(9)
  expect(readConfig({ MOST_AT_ONCE: "9", MAX_CONCURRENT_REQUESTS: "" }).MAX_CONCURRENT_REQUESTS).toBe(9)
  expect(formerVariablesIn({ MOST_AT_ONCE: "" })).toEqual([])
})

test("an error names the current variable and the former name that was set", () => {
  expect(() => readConfig({ MOST_AT_ONCE: "many" })).toThrow(
    /^Invalid environment:\n {2}MAX_CONCURRENT_REQUESTS \(set as MOST_AT_ONCE\): /,
  )
  expect(() => readConfig({ MAX_CONCURRENT_REQUESTS: "many" })).toThrow(
    /^Invalid environment:\n {2}MAX_CONCURRENT_REQUESTS: /,
  )
})

test("every replacement is a configuration variable, and no former name is one", () => {
  for (const [former, name] of names) {
    expect(EnvironmentSchema.shape).toHaveProperty(name)
    expect(EnvironmentSchema.shape).not.toHaveProperty(former)
  }
})
